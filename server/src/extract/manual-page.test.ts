import { expect, test } from 'vitest'
import { manualParts } from './manual-page.ts'

const page = (text: string) => `NAME\n     kiln - heat clay\n\nDESCRIPTION\n${text}`
const partsOf = (text: string) => manualParts(page(text))?.slice(3)

test.each([
  ['code', 'const NAME = 1\nif (a)\n       b()\n'],
  ['code with one heading', 'NAME\n       a = 1\n'],
  ['an empty text', ''],
])('leaves %s alone', (_, text) => expect(manualParts(text)).toBeNull())

test.each([
  ['a term above its text', '     -c cone\n          Stop there.', '-c cone', 'Stop there.'],
  ['a term beside its text', '     -c   Stop\n          there.', '-c', 'Stop there.'],
  ['an option in one line', '     -c      Stop there.', '-c', 'Stop there.'],
  ['an option of six characters', '     --cone Stop there.', '--cone', 'Stop there.'],
  ['a term of 120 characters', `     ${'c'.repeat(120)}\n          Stop there.`, 'c'.repeat(120), 'Stop there.'],
])('reads %s', (_, text, term, explanation) =>
  expect(partsOf(text)).toEqual([
    { kind: 'term', text: term },
    { kind: 'paragraph', text: explanation },
  ]),
)

test.each([
  ['a justified line', '     Cones  are numbered.', 'Cones are numbered.'],
  ['a divided word', '     It evapo-\n     rates.', 'It evaporates.'],
  ['a compound', '     High-fire clay is high-\n     fire clay.', 'High-fire clay is high-fire clay.'],
  ['a hyphen before a number', '     See ISO-\n     8859.', 'See ISO- 8859.'],
])('joins lines with %s', (_, text, joined) => expect(partsOf(text)).toEqual([{ kind: 'paragraph', text: joined }]))

test('takes a long line for text, not for a term', () => {
  const long = 'word '.repeat(25).trim()
  expect(partsOf(`     ${long}\n          Stop there.`)).toEqual([
    { kind: 'paragraph', text: long },
    { kind: 'code', text: 'Stop there.' },
  ])
})

test('ends an explanation with the next paragraph, and reads subsections', () => {
  expect(partsOf('     -c   Stop\n          there.\n\n     Go on.\n\n  Cones:\n     Nothing.')).toEqual([
    { kind: 'term', text: '-c' },
    { kind: 'paragraph', text: 'Stop there.' },
    { kind: 'end' },
    { kind: 'paragraph', text: 'Go on.' },
    { kind: 'heading', level: 2, text: 'Cones' },
    { kind: 'paragraph', text: 'Nothing.' },
  ])
})

test('reads steps and values within an explanation', () => {
  const nested =
    '          1)   Heat\n               it.\n\n          auto\n               Wait.\n\n          Then open it.'
  expect(partsOf(`     -c cone\n          Steps:\n\n${nested}`)?.slice(2)).toEqual([
    { kind: 'item', text: '1) Heat it.' },
    { kind: 'item', text: '`auto`: Wait.' },
    { kind: 'paragraph', text: 'Then open it.' },
  ])
})

test.each([
  [40, 'item'],
  [41, 'code'],
])('reads a nested term of %d characters as part of an %s', (length, kind) => {
  const nested = `          ${'c'.repeat(length)}\n               Wait.`
  expect(partsOf(`     -c cone\n          Steps:\n\n${nested}`)?.at(-1)).toMatchObject({ kind })
})

test.each([
  [5, 'code'],
  [6, 'paragraph'],
])('reads an example of %d words as %s', (words, kind) => {
  const text = `     ${'Heat '.repeat(words).trim()}`
  expect(partsOf(`     Text.\n\nEXAMPLES\n${text}`)?.at(-1)).toMatchObject({ kind })
})

test.each([
  ['prose', 'EXAMPLES', '     Heat it slowly.\n     Then open it.', 'paragraph'],
  ['a command', 'EXAMPLES', '     kiln-fire -q\n     kiln-open', 'code'],
  ['a command outside of examples', 'NOTES', '     kiln-fire -q\n     kiln-open', 'paragraph'],
])('reads %s in the section %s', (_, section, text, kind) => {
  expect(partsOf(`     Text.\n\n${section}\n${text}`)?.at(-1)).toMatchObject({ kind })
})
