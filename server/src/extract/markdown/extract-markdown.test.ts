import { expect, it } from 'vitest'
import { cpuSeconds } from '../../../test/support/lib/cpu-seconds.ts'
import { extractMarkdown } from './extract-markdown.ts'

const QUESTIONS = `# Guide

## FAQ

**How do I install it?**

Run the installer.

**Q: Can I use it offline?**
Yes.
`

function read(source: string, marks?: number[]) {
  const page = extractMarkdown(source, 'https://docs.example/faq.md', marks ? { marks } : {})
  if (page.kind === 'rejected') throw new Error(page.detail)
  return page
}

it('turns bold questions into sections below the preceding heading', () => {
  const page = read(QUESTIONS)
  expect(page.markdown).toContain('### How do I install it?\n\nRun the installer.')
  expect(page.markdown).toContain('### Can I use it offline?\nYes.')
  expect(
    page.blocks.filter(({ kind }) => kind === 'heading').map((block) => 'anchor' in block && block.anchor),
  ).toEqual(['guide', 'faq', 'how-do-i-install-it', 'can-i-use-it-offline'])
})

it('turns numbered bold questions into sections', () => {
  const { markdown } = read('# FAQ\n\n1. **Why?**\n\n   Because.\n\n2. **When?**\n\n   Now.\n')
  expect(markdown).toContain('## Why?')
  expect(markdown).toContain('## When?')
})

it('turns the questions of collapsible answers into sections', () => {
  const fold = (question: string) => `<details>\n<summary><b>${question}</b></summary>\n\nAn answer.\n\n</details>\n\n`
  const { markdown } = read(`# FAQ\n\n${fold('Does it run on Windows?')}${fold('Is it free?')}`)
  expect(markdown).toContain('## Does it run on Windows?\n\nAn answer.')
  expect(markdown).toContain('## Is it free?\n\nAn answer.')
})

it.each([
  ['a single bold question', '# Guide\n\n**Need help?**\n\nAsk us.\n'],
  ['bold text without a question', '# Guide\n\n**Note**\n\nText.\n\n**Other**\n\nText.\n'],
  ['bold questions inside sentences', '# Guide\n\nAsk **why?** or **how?**\n\n**Why?** Because.\n\n**How?** So.\n'],
  ['bold questions in code', '# Guide\n\n```\n**Why?**\n\n**How?**\n```\n'],
])('leaves %s unchanged', (_, source) => {
  expect(read(source).markdown).toBe(source.trim())
})

it('shifts offsets after an inserted heading', () => {
  const at = QUESTIONS.indexOf('Run the installer')
  const last = QUESTIONS.indexOf('Yes.')
  const { markdown, marks } = read(QUESTIONS, [at, last])
  expect(marks?.map((mark) => markdown.slice(mark, mark + 3))).toEqual(['Run', 'Yes'])
})

it('parses a document of bold marks and question marks in linear time', () => {
  const measure = (count: number) => {
    const source = `# FAQ\n\n${'**a?* '.repeat(count)}\n\n${'**?\n\n'.repeat(count)}`
    return cpuSeconds(() => read(source))
  }
  measure(1_000)
  expect(measure(80_000)).toBeLessThan(30 * Math.max(measure(8_000), 0.01))
})

it('writes underlined headings with signs, and leaves rules, tables and code', () => {
  const source =
    'Kilns\n=====\n\nHot.\n\nUse it\n------\nLight it.\n\n- item\n---\n\nA\nB\n---\n\n| a |\n---\n\n```\nCode\n----\n```\n\n---\nRule\n'
  const page = read(source)
  expect(page.title).toBe('Kilns')
  expect(page.markdown).toContain('# Kilns\n\nHot.\n\n## Use it\nLight it.\n\n- item\n---\n\nA\nB\n---\n\n| a |\n---')
  expect(page.markdown).toContain('Code\n----\n```\n\n---\nRule')
  expect(page.blocks.flatMap((block) => (block.kind === 'heading' ? [block.text] : []))).toEqual(['Kilns', 'Use it'])
})

it('writes tables whose rows begin without a bar with one', () => {
  const source =
    'Sizes\nName | `Use`\n-----|:---:\n`a` | b\\|\n| c\nd\n\nNot | a row\n\nA | B\n---\n\n1 | 2 | 3\n--- | ---\n\n- a | b\n--|--'
  const page = read(source)
  expect(page.markdown).toBe(
    'Sizes\n| Name | `Use` |\n| -----|:---: |\n| `a` | b\\| |\n| c\n| d |\n\nNot | a row\n\n## A | B\n\n1 | 2 | 3\n--- | ---\n\n- a | b\n--|--',
  )
  expect(page.blocks.filter(({ kind }) => kind === 'table')).toHaveLength(1)
})

it('reads 200,000 blocks and refuses more', () => {
  expect(read('# a\n'.repeat(200_000)).blocks).toHaveLength(200_000)
  const page = extractMarkdown('# a\n'.repeat(200_001), 'https://docs.example/a.md')
  expect(page).toMatchObject({ kind: 'rejected', reason: 'too_complex' })
})
