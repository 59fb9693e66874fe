import { expect, test } from 'vitest'
import { isOnlyImports } from './is-only-imports.ts'

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
