import { expect, test } from 'vitest'
import { closeFences } from './close-fences.ts'

const ts = (text: string) => ({ language: 'ts', text })

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
])('completes fences around %s', (_, passage, code, expected) => expect(closeFences({ passage, code })).toBe(expected))
