import { expect, test } from 'vitest'
import type { Block } from '#documents/model/document.ts'
import { markdownBlocks } from '#documents/model/markdown-blocks.ts'
import { movedBlock, closeFences } from './passage.ts'

const ts = (text: string) => ({ language: 'ts', text })

/** The blocks of a passage whose code begins or ends in another one. */
function dividedBlocks(passage: string, [code]: readonly { language: string | null; text: string }[]): Block[] {
  if (code === undefined) return markdownBlocks(passage)
  const codeStart = passage.indexOf(code.text)
  const codeEnd = codeStart + code.text.length
  const start = passage.lastIndexOf('\n\n', codeStart) + 2
  const after = passage.indexOf('\n\n', codeEnd)
  const end = after < 0 ? passage.length : after
  return [
    ...markdownBlocks(passage.slice(0, codeStart === 0 ? 0 : start)),
    { kind: 'code', start: codeStart === 0 ? 0 : start, end, codeStart, codeEnd, language: code.language },
    ...markdownBlocks(passage.slice(end)).map((block) => movedBlock(block, end)),
  ]
}

test.each([
  ['a passage without code', 'Some text', [], 'Some text'],
  ['a whole block', 'A:\n\n```ts\nconst a\n```', [ts('const a')], 'A:\n\n```ts\nconst a\n```'],
  ['the beginning of a block', 'A:\n\n```ts\nconst a', [ts('const a')], 'A:\n\n```ts\nconst a\n```'],
  [
    'the beginning of a block in a list',
    '1. A:\n\n   ~~~ts\n   const a',
    [ts('   const a')],
    '1. A:\n\n   ~~~ts\n   const a\n   ~~~',
  ],
  ['the end of a block', 'const b\n```\n\nB.', [ts('const b')], '```ts\nconst b\n```\n\nB.'],
  ['the middle of a block', 'const b', [ts('const b')], '```ts\nconst b\n```'],
  ['a block in an unknown language', 'b', [{ language: null, text: 'b' }], '```\nb\n```'],
  ['a block that contains a fence', 'a\n```\nb', [ts('a\n```\nb')], '````ts\na\n```\nb\n````'],
])('completes fences around %s', (_, passage, code, expected) => {
  expect(closeFences({ passage, blocks: dividedBlocks(passage, code) })).toBe(expected)
})
