import { expect, test } from 'vitest'
import { plainHeading, sectionsOf } from './sections.ts'

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
