import { expect, test } from 'vitest'
import { cutTokens } from './cut-tokens.ts'

test.each([
  ['keeps a short text unchanged', [2, 7, 8, 3], [2, 3], 4, [2, 7, 8, 3]],
  ['truncates a long text before its closing token', [2, 7, 8, 9, 3], [2, 3], 4, [2, 7, 8, 3]],
  ['keeps two closing tokens', [2, 7, 8, 9, 5, 3], [2, 5, 3], 5, [2, 7, 8, 5, 3]],
  ['truncates a text without special tokens', [7, 8, 9], [], 2, [7, 8]],
])('%s', (_, ids, empty, most, expected) => {
  expect(cutTokens(ids, empty, most)).toEqual(expected)
})
