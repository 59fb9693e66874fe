import { expect, test } from 'vitest'
import { MARKDOWN_LINK, readMarkdownLink } from '../src/ui/markdown-link.ts'

test.each([
  ['[the guide](https://docs.example/guide#a)', { label: 'the guide', url: 'https://docs.example/guide#a' }],
  ['[`defineConfig`](http://docs.example/api)', { label: '`defineConfig`', url: 'http://docs.example/api' }],
  ['![a diagram](https://docs.example/a.png)', { label: 'a diagram', url: 'https://docs.example/a.png' }],
])('reads the link %s', (text, link) => {
  expect(readMarkdownLink(text)).toEqual(link)
})

test.each([
  '[run](javascript:alert(1))',
  '[data](data:text/html,hello)',
  '[settings](/servers)',
  '[1]',
  '[no host](https://)',
  '[two words](https://docs.example/a b)',
])('leaves %s as text', (text) => {
  expect(readMarkdownLink(text)).toBeNull()
})

test('finds each link of a line', () => {
  const line = 'See [one](https://a.example/) [1] and [two](https://b.example/).'
  expect(line.match(new RegExp(MARKDOWN_LINK, 'g'))).toEqual(['[one](https://a.example/)', '[two](https://b.example/)'])
})
