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

test('sections have their headings, their texts, and all that is below them', () => {
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

test('a page without headings is one section, and an empty one has none', () => {
  expect(sectionsOf('Just text.\n')).toEqual([{ level: 0, heading: '', start: 0, body: 0, end: 11, close: 11 }])
  expect(sectionsOf(' \n')).toEqual([])
})

test.each([
  ['**`a`** [b](/c) ![d](e.png)', 'a b d'],
  ['snake\\_case \\<T>', 'snake_case <T>'],
])('"%s" reads %s', (text, plain) => expect(plainHeading(text)).toBe(plain))

test('a heading is read up to 1,000 characters, and a page up to 4,000 headings', () => {
  const [whole, cut] = sectionsOf(`# ${'a'.repeat(MAX_HEADING)}\n# ${'a'.repeat(MAX_HEADING + 1)}\n`)
  expect([whole?.heading.length, cut?.heading.length]).toEqual([MAX_HEADING, MAX_HEADING])
  expect(sectionsOf('# a\n'.repeat(MAX_SECTIONS))).toHaveLength(MAX_SECTIONS)
  const many = `${'# a\n'.repeat(MAX_SECTIONS)}# b\nlast\n`
  expect(sectionsOf(many)).toHaveLength(MAX_SECTIONS)
  expect(sectionsOf(many).at(-1)).toMatchObject({ heading: 'a', end: many.length, close: many.length })
})
