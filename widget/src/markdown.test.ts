import { describe, expect, test } from 'vitest'
import { foldSections, readInline, readMarkdown } from './markdown.ts'

const inline = (text: string) => readInline(text, (n) => n === 1)
const blocks = (text: string) => readMarkdown(text, () => false)

test.each([
  ['[the guide](https://docs.example/guide#a)', 'link', 'https://docs.example/guide#a', ['the guide']],
  [
    '[`defineConfig`](http://docs.example/api)',
    'link',
    'http://docs.example/api',
    [{ kind: 'code', text: 'defineConfig' }],
  ],
  ['![a diagram](https://docs.example/a.png)', 'image', 'https://docs.example/a.png', ['a diagram']],
  ['[data](data:text/html,hello)', 'link', null, ['data']],
  ['[settings](/servers)', 'link', null, ['settings']],
])('reads the link %s', (text, kind, address, parts) => {
  expect(inline(text)).toEqual([{ kind, address, parts }])
})

test.each(['[run](javascript:alert(1))', '[2]', '[two words](https://docs.example/a b c(d))'])(
  'leaves %s as text',
  (text) => {
    expect(inline(text)).toEqual([text])
  },
)

test('finds each link and citation of a line', () => {
  const read = inline('See [one](https://a.example/) [1] and [two](https://b.example/).')
  expect(read.map((part) => (typeof part === 'string' ? part : part.kind))).toEqual([
    'See ',
    'link',
    ' ',
    'mark',
    ' and ',
    'link',
    '.',
  ])
})

test('reads a part of a table without its head', () => {
  expect(blocks('| a | b \\| c |\n| d |  |')).toEqual([
    {
      kind: 'table',
      head: [],
      rows: [
        [['a'], ['b ', '|', ' c']],
        [['d'], []],
      ],
    },
  ])
  expect(blocks('| A |\n|:-:|\n| b |')).toEqual([{ kind: 'table', head: [['A']], rows: [[['b']]] }])
})

test('tells tasks from other items', () => {
  expect(blocks('- [ ] first\n- second\n  goes on')).toEqual([
    {
      kind: 'list',
      start: null,
      items: [
        { parts: ['first'], isTask: true },
        { parts: ['second goes on'], isTask: false },
      ],
    },
  ])
})

test('ends code at a fence of the same kind and length', () => {
  expect(blocks('````\n```\nx\n````\nafter')).toEqual([
    { kind: 'code', text: '```\nx' },
    { kind: 'paragraph', parts: ['after'] },
  ])
})

describe('an answer of several sections', () => {
  const fold = (text: string) => {
    const { open, folds, rest } = foldSections(readMarkdown(text, (n) => n <= 3))
    return { open: open.length, folds: folds.map(({ heading, blocks }) => [heading, blocks.length]), rest: rest.length }
  }

  test('has the first open and the others closed below their headings', () => {
    const text = '# A\n\nText. [1]\n\n## B\n\n- b\n- c [2]\n\n## C\n\n```\nc\n```\n\n(from [3])\n\nSee also: [1].'
    const folds = [
      [['B'], 1],
      [['C'], 2],
    ]
    expect(fold(text)).toEqual({ open: 2, folds, rest: 1 })
  })

  test('counts what is left out as the end of a section', () => {
    const text = 'A.\n\n… more at [1]\n\n## B\n\nText.\n\n… 4 more rows at [2]'
    expect(fold(text)).toEqual({ open: 2, folds: [[['B'], 2]], rest: 0 })
  })

  test.each([
    ['one section', '# A\n\nText. [1]'],
    ['labels instead of headings', '**a**\n\nText. [1]\n\n**b**\n\nText. [2]'],
    ['marks inside sentences', 'Text [1].\n\n## B\n\nText [2].'],
    ['no end', 'Text. [1]\n\n## B\n\nText.'],
    ['no citation', '# A\n\nText.\n\n## B'],
  ])('stays as it is with %s', (_, text) => expect(fold(text).folds).toEqual([]))

  test('names the source of its code once in each section', () => {
    const text = '# A\n\n```\na\n```\n\n(from [1])\n\n```\nb\n```\n\n(from [1])\n\n## B\n\n```\nc\n```\n\n(from [2])'
    const { open, folds } = foldSections(readMarkdown(text, (n) => n <= 3))
    const sources = (all: readonly object[]) => JSON.stringify(all).split('(from ').length - 1
    expect(open.map(({ kind }) => kind)).toEqual(['heading', 'code', 'code', 'paragraph'])
    expect(folds.map(({ blocks: inner }) => sources(inner))).toEqual([1])
  })

  test('names each of several sources of a section', () => {
    const text = '```\na\n```\n\n(from [1])\n\n```\nb\n```\n\n(from [2])'
    const { open } = foldSections(readMarkdown(text, (n) => n <= 3))
    expect(open.filter(({ kind }) => kind === 'paragraph')).toHaveLength(2)
  })
})
