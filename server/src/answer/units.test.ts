import { expect, test } from 'vitest'
import { unitsOf } from './units.ts'

const shown = (markdown: string) => unitsOf(markdown).map(({ kind, start, end }) => [kind, markdown.slice(start, end)])
const groups = (markdown: string) => unitsOf(markdown).map(({ group }) => group)

test('paragraphs become sentences, without headings', () => {
  expect(shown('# Title\n\nOne here. Two\nhere.\n\n## Next\nThree here.')).toEqual([
    ['sentence', 'One here.'],
    ['sentence', 'Two\nhere.'],
    ['sentence', 'Three here.'],
  ])
})

test('list items stay whole with their lines, and one list is one group', () => {
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

test('a code block is whole with its fences, however long its marks or deep its indentation', () => {
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

test('a code block that was cut off is left out', () => {
  expect(shown('Text here.\n\n```js\na()')).toEqual([['sentence', 'Text here.']])
})

test('a small table is whole, of a large one every row but the first is a unit', () => {
  const small = '| a | b |\n| --- | --- |\n| one | two |'
  expect(shown(small)).toEqual([['table', small]])
  const row = `| ${'word '.repeat(30)}| two |`
  expect(shown(`| a | b |\n| --- | --- |\n${Array(5).fill(row).join('\n')}`)).toEqual(
    Array.from({ length: 5 }, () => ['table', row]),
  )
})

test('images and tags without words are no units', () => {
  expect(shown('![a diagram](x.png)\n\n<br>\n\n---\n\nText here.')).toEqual([['sentence', 'Text here.']])
})
