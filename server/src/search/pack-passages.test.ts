import { expect, test } from 'vitest'
import { markdownBlocks } from '#documents/model/markdown-blocks.ts'
import { cutPassage } from './pack-passages.ts'

const long = (letter: string, size = 300) => letter.repeat(size)

/** Shows a single truncated passage. */
function shown(markdown: string, bytes: number, left = 5_000): string {
  const chunk = { start: 0, end: markdown.length, blocks: markdownBlocks(markdown) }
  const cut = cutPassage(markdown, chunk, { bytes, left })
  const text = markdown.slice(0, cut.end)
  expect(cut.bytes).toBe(Buffer.byteLength(text))
  return text
}

const CODE = `\`\`\`ts\n${long('c', 100)}\n\n${long('d', 100)}\n\`\`\``
const LIST = `- ${long('x')}\n- ${long('y')}\n  more of it\n- ${long('z')}`

test.each([
  ['a short one stays whole', `a\n\n${LIST}`, 2_000, `a\n\n${LIST}`],
  ['its length in bytes is bounded', `${long('ä')}\n\n${long('é')}`, 1_000, long('ä')],
  ['a block beyond the limit is omitted', `${long('a')}\n\n${long('b')}`, 400, long('a')],
  ['its first block is always complete', long('a', 900), 400, long('a', 900)],
  ['it does not end with a heading', `${long('a')}\n\n## Next\n\n${long('b')}`, 400, long('a')],
  ['it does not end with a colon', `${long('a')}\n\nSo:\n\n${long('b')}`, 400, long('a')],
  [
    'a lone heading is followed by its text',
    `## Head\n\n${long('a', 900)}\n\n${long('b')}`,
    400,
    `## Head\n\n${long('a', 900)}`,
  ],
  ['an introduction is followed by its code', `So:\n\n${CODE}\n\n${long('b')}`, 100, `So:\n\n${CODE}`],
  ['a list ends after an item', `Mostly:\n\n${LIST}`, 650, `Mostly:\n\n- ${long('x')}\n- ${long('y')}\n  more of it`],
])('truncates a passage so that %s', (_, markdown, bytes, expected) => expect(shown(markdown, bytes)).toBe(expected))

test('shows announced text of up to 2,000 bytes', () => {
  const text = (size: number) => `## Head\n\n${long('a', size - 9)}\n\n${long('b')}`
  expect(shown(text(2_000), 400)).toHaveLength(2_000)
  expect(shown(text(2_001), 400)).toBe('## Head')
})

test('omits announced text beyond the remaining budget', () => {
  expect(shown(`## Head\n\n${long('a', 900)}\n\n${long('b')}`, 400, 908)).toBe('## Head')
})
