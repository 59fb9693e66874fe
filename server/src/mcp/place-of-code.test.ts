import { expect, test } from 'vitest'
import { fakePassage } from '../../test/mcp-fakes.ts'
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
  placeOfCode(fakePassage({ passage: PASSAGE, heading, url }), code)

test('code of the section that is cited stands there', () => {
  const claim = { heading: 'Jobs › claim', url: `${BASE}#claim`, context: 'Takes the next one.' }
  expect(place('claim()')).toEqual(claim)
})

test('code of the next one stands there, and what is said of the one before is not about it', () => {
  expect(place('renew()')).toEqual({ heading: 'Jobs › renew', url: `${BASE}#renew`, context: '' })
})

test('code of one inside another stands below it', () => {
  const inside = place('often()', { heading: 'Jobs › renew', url: `${BASE}#renew` })
  expect(inside).toEqual({ heading: 'Jobs › renew › How often', url: `${BASE}#how-often`, context: 'Mostly so:' })
})

test.each([`${BASE}#L12`, BASE])('the address %s stays, since its fragment is not the usual one', (url) => {
  expect(place('renew()', { url })).toMatchObject({ heading: 'Jobs › renew', url })
})

test('a passage of the top of a page, and code that is not in it, keep what is cited', () => {
  expect(place('renew()', { heading: '', url: BASE })).toMatchObject({ heading: '', url: BASE })
  expect(place('nowhere()')).toEqual({ heading: 'Jobs › claim', url: `${BASE}#claim`, context: '' })
})

test.each([
  ['Then this:', ''],
  ['| a | b |', ''],
  ['```sh', ''],
  ['', ''],
  ['It is quick,\nand small.\n\nMore.', 'It is quick, and small.'],
])('"%s" below code that has nothing above it tells of it: "%s"', (line, context) => {
  const passage = `## a\n\n\`\`\`ts\ncode()\n\`\`\`\n\n${line}`
  expect(placeOfCode(fakePassage({ passage, heading: 'a' }), 'code()').context).toBe(context)
})
