import { expect, test } from 'vitest'
import { parseLlmsTxt } from './llms-txt.ts'
import { cpuSeconds } from '../../../test/support/lib/cpu-seconds.ts'

const FROM = 'https://a.dev/llms.txt'

test('lists each link once with its title and section', () => {
  const { title, links } = parseLlmsTxt(
    `# A\n> About A\n
[Home](https://a.dev/)
## Guides
- [Install (Linux)](/docs/install.md): how to
* [Use \`a[0]\` well](<docs/use> "Use") and [again](/docs/install.md)
\`\`\`
[not a link](https://a.dev/code)
\`\`\`
## Optional
- https://a.dev/faq_(old), see <https://a.dev/more>.
- [mail](mailto:x@a.dev) [file](file:///etc/passwd)
`.replaceAll('\n', '\r\n'),
    FROM,
  )
  expect(title).toBe('A')
  expect(links).toEqual([
    { url: 'https://a.dev/', title: 'Home', section: null, optional: false },
    { url: 'https://a.dev/docs/install.md', title: 'Install (Linux)', section: 'Guides', optional: false },
    { url: 'https://a.dev/docs/use', title: 'Use `a[0]` well', section: 'Guides', optional: false },
    { url: 'https://a.dev/faq_', title: '', section: 'Optional', optional: true },
    { url: 'https://a.dev/more', title: '', section: 'Optional', optional: true },
  ])
})

test('keeps parentheses in the URL of a link', () => {
  expect(parseLlmsTxt('- [x](https://a.dev/x_(y))', FROM).links.map(({ url }) => url)).toEqual(['https://a.dev/x_(y)'])
})

test('reads links of at most 2,047 characters, and eight million in total', () => {
  const link = (length: number, at = 0) => `https://a.dev/${at}-`.padEnd(length, 'x')
  expect(parseLlmsTxt([2_047, 2_048].map((length) => link(length)).join('\n'), FROM).links).toHaveLength(1)
  const many = (count: number) =>
    parseLlmsTxt(Array.from({ length: count }, (_, at) => link(2_000, at)).join('\n'), FROM)
  expect(many(4_000).links).toHaveLength(4_000)
  expect(many(4_001).links).toHaveLength(4_000)
})

test('parses a hostile file in bounded time', () => {
  const repeated = ['[', '[x](', '![[', '<', '](', '[x](http://a(', '[x](a "'].map((piece) => piece.repeat(50_000))
  const blanks = ' '.repeat(200_000)
  for (const text of [...repeated, `# a${blanks}b`, `## a${blanks}b`, `https://a.dev${'.'.repeat(200_000)}x`])
    expect(
      cpuSeconds(() => parseLlmsTxt(text, FROM)),
      text.slice(0, 12),
    ).toBeLessThan(2)
})
