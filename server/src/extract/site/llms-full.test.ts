import { describe, expect, test } from 'vitest'
import { splitLlmsFull } from './llms-full.ts'
import { cpuSeconds } from '../../../test/support/lib/cpu-seconds.ts'

const FROM = 'https://a.dev/llms-full.txt'

function split(text: string) {
  return splitLlmsFull(text, FROM).map(({ url, title, markdown }) => [url, title, markdown])
}

describe('page boundaries', () => {
  const expected = [
    ['https://a.dev/one', 'One', 'First.\n\n## See also\n\nMore.'],
    ['https://a.dev/two', 'Two', 'Second.'],
  ]

  test('splits pages at a source line below the heading', () => {
    expect(
      split(
        `# One\nSource: https://a.dev/one\n\nFirst.\n\n## See also\n\nMore.\n\n# Two\nSource: https://a.dev/two\n\nSecond.\n`,
      ),
    ).toEqual(expected)
  })

  test('splits pages at front matter', () => {
    expect(
      split(`---
title: One
source_url:
  html: https://a.dev/one
  md: https://a.dev/one.md
---
First.

## See also

More.

---
title: "Two"
description: x
source_url:
  html: "https://a.dev/two"
---

Second.`),
    ).toEqual(expected)
  })

  test('splits pages at links in headings', () => {
    expect(
      split('# [One](https://a.dev/one)\nFirst.\n\n## See also\n\nMore.\n\n---\n\n# [Two](https://a.dev/two)\nSecond.'),
    ).toEqual(expected)
  })

  test('splits pages at tags', () => {
    expect(
      split(
        '<doc title="One" url="https://a.dev/one">\nFirst.\n\n## See also\n\nMore.\n</doc>\n<doc title="Two" url="/two">\nSecond.\n</doc>\n',
      ),
    ).toEqual(expected)
  })

  test('splits pages at a bold label after a rule', () => {
    expect(
      split(
        '# One\n\n**URL:** <https://a.dev/one>\n\nFirst.\n\n## See also\n\nMore.\n\n---\n\n# Two\n\n**URL:** <https://a.dev/two>\n\nSecond.',
      ),
    ).toEqual(expected)
  })
})

describe('text within a page', () => {
  test('ignores source lines in code blocks and quoted sources of other sites', () => {
    const text = `# One
Source: https://a.dev/one

\`\`\`yaml
url: https://a.dev/code
\`\`\`

A quotation.
Source: https://other.example/

# Two
Source: https://a.dev/two

Second.`
    expect(splitLlmsFull(text, FROM).map(({ url }) => url)).toEqual(['https://a.dev/one', 'https://a.dev/two'])
  })

  test('joins sections with the same source URL', () => {
    expect(
      split('# A\nURL: https://a.dev/one\n\n1\n\n# B\nURL: https://a.dev/one\n\n2\n\n# C\nURL: https://a.dev/two\n\n3'),
    ).toEqual([
      ['https://a.dev/one', 'A', '1\n\n2'],
      ['https://a.dev/two', 'C', '3'],
    ])
  })
})

test('returns no pages for a file without page URLs', () => {
  expect(split('# One\n\nFirst.\n\n# Two\n\nSecond.')).toEqual([])
  expect(split('# One\nSource: https://a.dev/one\n\nFirst.')).toEqual([])
  expect(split('')).toEqual([])
})

test('splits a large file in bounded time', () => {
  const body = 'Some text of a page. '.repeat(100)
  const text = Array.from({ length: 5_000 }, (_, index) => `# P\nSource: https://a.dev/${index}\n\n${body}\n\n`).join(
    '',
  )
  const rules = ' \n---\n'.repeat(200_000)
  const runs = `# One\nSource: https://a.dev/1\n\n${'-'.repeat(500_000)}x\n\n# Two\nSource: https://a.dev/2\n${'\n'.repeat(200_000)}x`
  const blanks = ' '.repeat(500_000)
  const seconds = cpuSeconds(() => {
    splitLlmsFull(`# One${blanks}x\nsource:${blanks}x\ntitle: x${blanks}\nsource: https://a.dev/1\n`, FROM)
    expect(splitLlmsFull(text, FROM)).toHaveLength(5_000)
    splitLlmsFull(rules, FROM)
    splitLlmsFull(runs, FROM)
  })
  expect(seconds).toBeLessThan(8)
})
