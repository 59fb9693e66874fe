import { expect, test } from 'vitest'
import { readInline, readMarkdown } from './markdown.ts'

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
