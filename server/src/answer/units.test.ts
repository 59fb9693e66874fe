import { expect, test } from 'vitest'
import * as fc from 'fast-check'
import { markdownBlocks } from '#documents/model/markdown-blocks.ts'
import { sentencesOf } from '#documents/model/read-block.ts'
import { unitsOf } from './units.ts'

const shown = (markdown: string) =>
  unitsOf(markdown, markdownBlocks(markdown)).map(({ kind, start, end }) => [kind, markdown.slice(start, end)])
const groups = (markdown: string) => unitsOf(markdown, markdownBlocks(markdown)).map(({ group }) => group)

test('splits paragraphs into sentences and omits headings', () => {
  expect(shown('# Title\n\nOne here. Two\nhere.\n\n## Next\nThree here.')).toEqual([
    ['sentence', 'One here.'],
    ['sentence', 'Two\nhere.'],
    ['sentence', 'Three here.'],
  ])
})

test('keeps list items whole and gives one list one group', () => {
  const list = '- first\n  goes on\n- second\n\n- third\n\nText here.\n\n1. other'
  expect(shown(list)).toEqual([
    ['item', '- first\n  goes on'],
    ['item', '- second'],
    ['item', '- third'],
    ['sentence', 'Text here.'],
    ['item', '1. other'],
  ])
  const [first, second, third, text, other] = groups(list)
  expect([second, third]).toEqual([first, first])
  expect(new Set([first, text, other]).size).toBe(3)
})

test('keeps a code block whole with its fences, at any fence length and indentation', () => {
  const fenced = '````md\n```js\na()\n```\n````'
  expect(shown(`Text here.\n${fenced}\nMore here.`)).toEqual([
    ['sentence', 'Text here.'],
    ['code', fenced],
    ['sentence', 'More here.'],
  ])
  expect(shown('- item\n\n    ```js\n    a()\n    ```')).toEqual([
    ['item', '- item'],
    ['code', '    ```js\n    a()\n    ```'],
  ])
})

test('keeps a small table whole and splits a large one into rows without its header', () => {
  const small = '| a | b |\n| --- | --- |\n| one | two |'
  expect(shown(small)).toEqual([['table', small]])
  const row = `| ${'word '.repeat(30)}| two |`
  expect(shown(`| a | b |\n| --- | --- |\n${Array(5).fill(row).join('\n')}`)).toEqual(
    Array.from({ length: 5 }, () => ['table', row]),
  )
})

test('omits images and tags without words', () => {
  expect(shown('![a diagram](x.png)\n\n<br>\n\n---\n\nText here.')).toEqual([['sentence', 'Text here.']])
})

test('omits entries of contents', () => {
  expect(shown('Oiling. . . . . . . . . 12 Wiping ........ 14\n\nText here.')).toEqual([['sentence', 'Text here.']])
})

test('splits a long sentence at its line ends', () => {
  const lines = Array.from({ length: 30 }, (_, at) => `Line ${at} has no full stop`)
  expect(shown(lines.join('\n'))).toEqual(lines.map((line) => ['sentence', line]))
})

test.each([
  ['One. Two! Three?', ['One.', 'Two!', 'Three?']],
  ['Set it (e.g. To zero). Then run `a. B`. Done', ['Set it (e.g. To zero).', 'Then run `a. B`.', 'Done']],
  ['Needs v1.2.3 or node.js vs. Deno.', ['Needs v1.2.3 or node.js vs. Deno.']],
  ['At 5 p.m. every day.', ['At 5 p.m. every day.']],
  ['Wrapped\nlines. Stay\nwhole.', ['Wrapped\nlines.', 'Stay\nwhole.']],
  ['He said "stop." Then left.', ['He said "stop."', 'Then left.']],
  ['これは一つ。これは二つ！', ['これは一つ。', 'これは二つ！']],
  ['Really...? Yes.', ['Really...?', 'Yes.']],
  ['   ', []],
])('splits %j', (text, expected) => {
  expect(sentencesOf(text).map(({ start, end }) => text.slice(start, end))).toEqual(expected)
})

test('returns sentences in order, without overlap, omitting only white space', () => {
  const piece = fc.constantFrom('. ', '? ', '! ', '。', '`', 'A', 'b', ' ', '\n', '"', 'e.g. ')
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string())), (pieces) => {
      const text = pieces.join('')
      let at = 0
      for (const { start, end } of sentencesOf(text)) {
        expect(text.slice(at, start).trim()).toBe('')
        expect(end).toBeGreaterThan(start)
        at = end
      }
      expect(text.slice(at).trim()).toBe('')
    }),
  )
})
