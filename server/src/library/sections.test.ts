import { expect, test } from 'vitest'
import { MAX_HEADING, MAX_SECTIONS, plainHeading, sectionsOf } from './sections.ts'

const markdown = [
  'Before.',
  '# Title',
  'Lead.',
  '## `one()` {x}',
  '```md',
  '# no heading',
  '~~~',
  '```',
  '### [Deep](/a)',
  'x',
  '## Two ##',
  '~~~~',
  '## neither',
  '~~~',
  '~~~~',
  'end',
].join('\n')

test('splits a page into sections with headings, own text and subsections', () => {
  const found = sectionsOf(markdown).map(({ level, heading, body, end, close }) => ({
    level,
    heading,
    text: markdown.slice(body, end).trim().slice(0, 8),
    all: sectionsOf(markdown).filter(({ start }) => start >= body && start < close).length,
  }))
  expect(found).toEqual([
    { level: 0, heading: '', text: 'Before.', all: 1 },
    { level: 1, heading: 'Title', text: 'Lead.', all: 3 },
    { level: 2, heading: 'one() {x}', text: '```md\n# ', all: 1 },
    { level: 3, heading: 'Deep', text: 'x', all: 0 },
    { level: 2, heading: 'Two', text: '~~~~\n## ', all: 0 },
  ])
})

test('returns one section for a page without headings and none for an empty page', () => {
  expect(sectionsOf('Just text.\n')).toEqual([{ level: 0, heading: '', start: 0, body: 0, end: 11, close: 11 }])
  expect(sectionsOf(' \n')).toEqual([])
})

test.each([
  ['**`a`** [b](/c) ![d](e.png)', 'a b d'],
  ['snake\\_case \\<T>', 'snake_case <T>'],
])('converts the heading "%s" to the plain text %s', (text, plain) => expect(plainHeading(text)).toBe(plain))

test('limits headings to 1,000 characters and pages to 4,000 headings', () => {
  const [whole, cut] = sectionsOf(`# ${'a'.repeat(MAX_HEADING)}\n# ${'a'.repeat(MAX_HEADING + 1)}\n`)
  expect([whole?.heading.length, cut?.heading.length]).toEqual([MAX_HEADING, MAX_HEADING])
  expect(sectionsOf('# a\n'.repeat(MAX_SECTIONS))).toHaveLength(MAX_SECTIONS)
  const many = `${'# a\n'.repeat(MAX_SECTIONS)}# b\nlast\n`
  expect(sectionsOf(many)).toHaveLength(MAX_SECTIONS)
  expect(sectionsOf(many).at(-1)).toMatchObject({ heading: 'a', end: many.length, close: many.length })
})
