import { expect, test } from 'vitest'
import { isOnlyImports, isRunnable } from './code-examples.ts'

test.each([
  ['bash', 'npm install sprockets', true],
  ['typescript', "import { a } from 'a'\na()", true],
  ['javascript', "const a = require('a')\na()", true],
  ['python', 'from a import b\nb()', true],
  ['rust', 'use std::fs;\nfn main() {}', true],
  ['typescript', 'a.b()', false],
  ['typescript', "import { a } from 'a'\n// ...\na()", false],
  ['python', 'import a\n...\na.b()', false],
  ['json', '{"import": "x"}', false],
  ['text', 'import x', false],
  [null, 'import x', false],
])('judges whether %s code is runnable: %j → %s', (language, code, expected) => {
  expect(isRunnable(language, code)).toBe(expected)
})

test.each([
  ["import a from 'a'", true],
  ["import {\n  a,\n  b,\n} from 'a';\n\nimport 'b'\n", true],
  ["const a = require('a')", true],
  ["export * from 'a'", true],
  ["import a from 'a'\n\na()", false],
  ['a()', false],
])('detects import-only code in %j: %s', (code, expected) => {
  expect(isOnlyImports(code)).toBe(expected)
})
