import { expect, test } from 'vitest'
import fc from 'fast-check'
import { cpuSeconds } from '../../../test/support/lib/cpu-seconds.ts'
import { MAX_SECTIONS } from './sections.ts'
import { sectionsIn } from '../../../test/support/lib/sections-in.ts'
import { codeOf, headAbove } from './read-block.ts'

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
  const found = sectionsIn(markdown).map(({ level, heading, body, end, close }) => ({
    level,
    heading,
    text: markdown.slice(body, end).trim().slice(0, 8),
    all: sectionsIn(markdown).filter(({ start }) => start >= body && start < close).length,
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
  expect(sectionsIn('Just text.\n')).toMatchObject([{ level: 0, heading: '', start: 0, body: 0, end: 11, close: 11 }])
  expect(sectionsIn(' \n')).toEqual([])
})

test('limits heading lines to 1,000 characters and pages to 4,000 sections', () => {
  const levels = [998, 999].map((length) => sectionsIn(`# ${'a'.repeat(length)}`)[0]?.level)
  expect(levels).toEqual([1, 0])
  expect(sectionsIn('# a\n'.repeat(MAX_SECTIONS))).toHaveLength(MAX_SECTIONS)
  const many = `${'# a\n'.repeat(MAX_SECTIONS)}# b\nlast\n`
  expect(sectionsIn(many)).toHaveLength(MAX_SECTIONS)
  expect(sectionsIn(many).at(-1)).toMatchObject({ heading: 'a', end: many.length, close: many.length })
  expect(sectionsIn(many).at(-1)?.blocks).toHaveLength(1)
})

test('returns fenced code with its language and offsets', () => {
  const page = 'A\n\n```ts title="a"\nconst a = `b`\n```\n\n  ~~~\n```\n~~\n  ~~~~\nB ```c```\n````\n```\nend'
  const text = (at: number) => page.slice(codeOf(page)[at]?.start, codeOf(page)[at]?.end)
  expect(codeOf(page).map((code) => [code.language, code.text])).toEqual([
    ['ts', 'const a = `b`'],
    [null, '```\n~~'],
    [null, '```\nend'],
  ])
  expect([text(0), text(1)]).toEqual(['```ts title="a"\nconst a = `b`\n```', '  ~~~\n```\n~~\n  ~~~~'])
})

test('reads a line of prose that begins with code as prose, like extraction', () => {
  const page = '# A\n\n```npm install``` gets the packages.\n\n## B\n\nMore.'
  expect(codeOf(page)).toEqual([])
  expect(sectionsIn(page).map(({ heading }) => heading)).toEqual(['A', 'B'])
})

test('takes tildes below a part of a line for a mark of it, as compilers make them', () => {
  expect(codeOf('    a.js:1\n\n    1 one(two)\n          ~~~~~\n\n# B\n')).toEqual([])
  // Code in an item of a list is at most three columns to the right of its text.
  for (const above of ['- a', '  a', '', '1. a\n\n'])
    expect(codeOf(`${above}\n    ~~~\n    x\n    ~~~`)).toHaveLength(1)
})

test('starts code only on lines that begin with a mark', () => {
  const pieces = fc.constantFrom('```', '~~~', '`', '~', ' ', '\t', '\n', 'a', 'js', '````')
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
      const markdown = parts.join('')
      const marked = [...markdown.matchAll(/^[ \t]*(?:`{3,}|~{3,})/gm)].map(({ index }) => index)
      for (const { start } of codeOf(markdown)) expect(marked).toContain(start)
    }),
    { numRuns: 1_000 },
  )
})

test('scans long runs of blanks before marks in linear time', () => {
  const page = `${' '.repeat(200_000)}x\n`.repeat(5) + `a${' '.repeat(1_000)}\`\`\``.repeat(1_000)
  expect(cpuSeconds(() => codeOf(page))).toBeLessThan(2)
  expect(cpuSeconds(() => codeOf('```\n'.repeat(500_000)))).toBeLessThan(2)
})

const GROUPS = '| **In** |  |\n| --- | --- |\n| a | one |\n| **Out** |  |\n| b | two |\n| `c` |  |\n| d | three |'

test.each([
  ['the first group', GROUPS, 'a', '| **In** |  |\n| --- | --- |\n'],
  ['a later group, whose title replaces that of the first', GROUPS, 'd', '| **Out** |  |\n| --- | --- |\n'],
  [
    'a group below a header of its own',
    GROUPS.replace('**In** |  ', 'Name | Text '),
    'b',
    '| Name | Text |\n| --- | --- |\n| **Out** |  |\n',
  ],
  ['a table without a header', GROUPS.replace('| --- | --- |\n', ''), 'd', ''],
])('gives a row what is above it in %s', (_, text, row, head) => {
  const table = `Before.\n\n${text}\n\nAfter.`
  expect(headAbove(table, 9, table.indexOf(`| ${row} |`))).toBe(head)
})

test('looks for the title of a group 20,000 characters back', () => {
  const rows = (characters: number) => `| ${'x'.repeat(characters - 6)} | |\n`
  const below = (rest: number) => `| A | B |\n| --- | --- |\n${rows(20_000)}| **T** |  |\n${rows(rest)}`
  const titled = (rest: number) => headAbove(`${below(rest)}| b | c |`, 0, below(rest).length).includes('**T**')
  expect(titled(20_000 - '| **T** |  |\n'.length)).toBe(true)
  expect(titled(20_000)).toBe(false)
})
