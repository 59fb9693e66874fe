import { expect, test } from 'vitest'
import { fakePassage } from '../../../test/support/mcp/mcp-fakes.ts'
import type { Passage } from '#search/passage.ts'
import { placeOfCode } from './place-of-code.ts'

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
