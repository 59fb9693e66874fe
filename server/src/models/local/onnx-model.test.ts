import { expect, test } from 'vitest'
import { cutTokens, poolTokens } from './onnx-model.ts'

test.each([
  ['keeps a short text unchanged', [2, 7, 8, 3], [2, 3], 4, [2, 7, 8, 3]],
  ['truncates a long text before its closing token', [2, 7, 8, 9, 3], [2, 3], 4, [2, 7, 8, 3]],
  ['keeps two closing tokens', [2, 7, 8, 9, 5, 3], [2, 5, 3], 5, [2, 7, 8, 5, 3]],
  ['truncates a text without special tokens', [7, 8, 9], [], 2, [7, 8]],
])('%s', (_, ids, empty, most, expected) => {
  expect(cutTokens(ids, empty, most)).toEqual(expected)
})

/** Two texts of two tokens and one token, padded to two tokens, in two dimensions. */
const OUTPUT = { data: Float32Array.of(1, 2, 3, 6, 5, 7, 90, 90), tokens: 2, dimensions: 2 }

test.each([
  ['mean', [2, 4], [5, 7]],
  ['first', [1, 2], [5, 7]],
  ['last', [3, 6], [5, 7]],
] as const)('excludes padding from %s pooling', (pooling, ...expected) => {
  expect(poolTokens(OUTPUT, [2, 1], pooling).map((vector) => Array.from(vector))).toEqual(expected)
})
