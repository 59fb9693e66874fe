import { expect, test } from 'vitest'
import { extractPage } from './extract-page.ts'
import type { ExtractedPage } from './extracted-page.ts'
import { stripMarkup } from './strip-markup.ts'
import { cpuSeconds } from '../../../test/cpu-seconds.ts'

test.each([
  ['Text <!-- seen by\n\nnobody --> goes on.', 'Text  goes on.'],
  ['A <b>bold</b> word, <br>a line and <kbd>Ctrl</kbd>.', 'A bold word,  a line and `Ctrl`.'],
  ['<script>alert(1)</script><STYLE>b{}</STYLE >After', 'After'],
  ['<iframe src="x"/>After <img src=x onerror="alert(1)">it', 'After it'],
  ['<h2 align="center">Title</h2>', '## Title'],
  ['A `Vec<b>` and ``<script>` `` stay.', 'A `Vec<b>` and ``<script>` `` stay.'],
  ['Vec<T>, <Tabs>, a < b, <3 and <https://a.test/> stay.', 'Vec<T>, <Tabs>, a < b, <3 and <https://a.test/> stay.'],
  ['As in:\n\n    <script>x</script>\n    <b>\n\nEnd', 'As in:\n\n    <script>x</script>\n    <b>\n\nEnd'],
  ['An <!-- without end and <b without end', 'An <!-- without end and <b without end'],
  ['A ` alone and <b>bold</b>', 'A ` alone and bold'],
  ['[a](javascript:alert(1)) ![b](data:text/html,x) [c](/c) <vbscript:x>', 'a b [c](/c) vbscript:x'],
  ['[r]: javascript:alert(1)\n[s]: /s', '\n[s]: /s'],
])('%j', (prose, expected) => {
  expect(stripMarkup(prose)).toBe(expected)
})

test('takes time in proportion to the text, whatever is opened and not closed', () => {
  for (const part of ['<!--', '<script>', '<b ', '`a``b', '[a](javascript:(', '`<b>`` ', '</td><td>']) {
    const text = part.repeat(1_000_000 / part.length)
    expect(
      cpuSeconds(() => stripMarkup(text)),
      part,
    ).toBeLessThan(8)
  }
})

test('fences are left as they are', () => {
  const source = '# T\n\n<div>\n\n```html\n<!-- kept -->\n<script>kept()</script>\n```\n\n</div>\n'
  const page = extractPage({
    url: 'http://a.test/x.md',
    contentType: 'text/markdown',
    bytes: new TextEncoder().encode(source),
  }) as ExtractedPage
  expect(page.markdown).toBe('# T\n\n```html\n<!-- kept -->\n<script>kept()</script>\n```')
})
