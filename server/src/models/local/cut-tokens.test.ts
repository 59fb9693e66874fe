import { expect, test } from 'vitest'
import { cutTokens } from './cut-tokens.ts'

test.each([
  ['a text that fits stays as it is', [2, 7, 8, 3], [2, 3], 4, [2, 7, 8, 3]],
  ['one that does not is cut before its closing token', [2, 7, 8, 9, 3], [2, 3], 4, [2, 7, 8, 3]],
  ['so is one with two of them', [2, 7, 8, 9, 5, 3], [2, 5, 3], 5, [2, 7, 8, 5, 3]],
  ['without special tokens it is only cut', [7, 8, 9], [], 2, [7, 8]],
])('cuts tokens: %s', (_, ids, empty, most, expected) => {
  expect(cutTokens(ids, empty, most)).toEqual(expected)
})
