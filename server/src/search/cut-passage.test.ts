import { expect, test } from 'vitest'
import { cutPassage } from './cut-passage.ts'

const long = (letter: string, size = 300) => letter.repeat(size)

/** Shows a single truncated passage. Finds its code by fences. */
function shown(markdown: string, bytes: number, left = 5_000): string {
  const code = [...markdown.matchAll(/^```\w*\n([^]*?)\n```$/gm)].map((match) => {
    const start = match.index + match[0].indexOf('\n') + 1
    return { start, end: start + (match[1] ?? '').length, language: null }
  })
  const chunk = { start: 0, end: markdown.length, headings: [], anchor: null, code }
  const cut = cutPassage(markdown, chunk, { bytes, left })
  const text = markdown.slice(0, cut.end)
  expect(cut.bytes).toBe(Buffer.byteLength(text))
  return text
}

const CODE = `\`\`\`ts\n${long('c', 100)}\n\n${long('d', 100)}\n\`\`\``
const LIST = `- ${long('x')}\n- ${long('y')}\n  more of it\n- ${long('z')}`

test.each([
  ['what fits stays whole', `a\n\n${LIST}`, 2_000, `a\n\n${LIST}`],
  ['bytes count, not characters', `${long('ä')}\n\n${long('é')}`, 1_000, long('ä')],
  ['a block that does not fit is left out', `${long('a')}\n\n${long('b')}`, 400, long('a')],
  ['the first block is shown whatever its size', long('a', 900), 400, long('a', 900)],
  ['a heading is not the end', `${long('a')}\n\n## Next\n\n${long('b')}`, 400, long('a')],
  ['nor is a colon', `${long('a')}\n\nSo:\n\n${long('b')}`, 400, long('a')],
  [
    'a heading alone goes on to its text',
    `## Head\n\n${long('a', 900)}\n\n${long('b')}`,
    400,
    `## Head\n\n${long('a', 900)}`,
  ],
  ['a sentence goes on to the code that it announces', `So:\n\n${CODE}\n\n${long('b')}`, 100, `So:\n\n${CODE}`],
  [
    'a list is cut between its items',
    `Mostly:\n\n${LIST}`,
    650,
    `Mostly:\n\n- ${long('x')}\n- ${long('y')}\n  more of it`,
  ],
])('cuts a passage: %s', (_, markdown, bytes, expected) => expect(shown(markdown, bytes)).toBe(expected))

test('shows announced text of up to 2,000 bytes', () => {
  const text = (size: number) => `## Head\n\n${long('a', size - 9)}\n\n${long('b')}`
  expect(shown(text(2_000), 400)).toHaveLength(2_000)
  expect(shown(text(2_001), 400)).toBe('## Head')
})

test('omits announced text beyond the remaining budget', () => {
  expect(shown(`## Head\n\n${long('a', 900)}\n\n${long('b')}`, 400, 908)).toBe('## Head')
})
