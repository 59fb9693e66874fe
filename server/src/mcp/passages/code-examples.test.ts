import { expect, test } from 'vitest'
import type { Passage } from '#search/passage.ts'
import { isOnlyImports, isRunnable, placeOfCode } from './code-examples.ts'
import { fakePassage } from '../../../test/support/mcp/mcp-fakes.ts'

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

const PASSAGE = `# src/queue.ts

## claim

\`\`\`ts
claim()
\`\`\`

Takes the next one.

## renew

\`\`\`ts
renew()
\`\`\`

### How often

Mostly so:

\`\`\`ts
often()
\`\`\``

const BASE = 'https://widgets.example/queue'
const place = (code: string, { heading = 'Jobs › claim', url = `${BASE}#claim` } = {}) =>
  placeIn(fakePassage({ passage: PASSAGE, heading, url }), code)

function placeIn(passage: Passage, code: string) {
  return placeOfCode(passage, { start: passage.passage.indexOf(code) })
}

test('places code of the cited section in that section', () => {
  const claim = { heading: 'Jobs › claim', url: `${BASE}#claim`, context: 'Takes the next one.' }
  expect(place('claim()')).toEqual(claim)
})

test('places code of the next section there, without context from the section before', () => {
  expect(place('renew()')).toEqual({ heading: 'Jobs › renew', url: `${BASE}#renew`, context: '' })
})

test('places code of a nested section below its parent', () => {
  const inside = place('often()', { heading: 'Jobs › renew', url: `${BASE}#renew` })
  expect(inside).toEqual({ heading: 'Jobs › renew › How often', url: `${BASE}#how-often`, context: 'Mostly so:' })
})

test('keeps the address of the passage for a section without an anchor', () => {
  const { blocks, ...rest } = fakePassage({ passage: PASSAGE, heading: 'Jobs › claim', url: `${BASE}#L12` })
  const plain = blocks.map((block) => (block.kind === 'heading' ? { ...block, anchor: null } : block))
  expect(placeIn({ ...rest, blocks: plain }, 'renew()')).toMatchObject({ heading: 'Jobs › renew', url: `${BASE}#L12` })
})

test('keeps the citation for the top of a page', () => {
  expect(place('renew()', { heading: '', url: BASE })).toMatchObject({ heading: '', url: BASE })
})

test.each([
  ['Then this:', ''],
  ['| a | b |', ''],
  ['```sh', ''],
  ['', ''],
  ['It is quick,\nand small.\n\nMore.', 'It is quick, and small.'],
])('reads a block followed by "%s" with the context "%s"', (line, context) => {
  const passage = `## a\n\n\`\`\`ts\ncode()\n\`\`\`\n\n${line}`
  expect(placeIn(fakePassage({ passage, heading: 'a' }), 'code()').context).toBe(context)
})

test('places code by its offset if the same text comes before it', () => {
  const passage = fakePassage({
    passage: 'About renew() first.\n\n## Renew\n\nSo:\n\n```\nrenew()\n```',
    heading: 'Jobs',
  })
  const code = { language: null, text: 'renew()', start: passage.passage.lastIndexOf('renew()') }
  expect(placeOfCode(passage, code)).toMatchObject({ heading: 'Renew', context: 'So:' })
})
