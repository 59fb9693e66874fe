import { expect, test } from 'vitest'
import { poolTokens } from './pool-tokens.ts'

/** Two texts of two tokens and one token, padded to two tokens, in two dimensions. */
const OUTPUT = { data: Float32Array.of(1, 2, 3, 6, 5, 7, 90, 90), tokens: 2, dimensions: 2 }

test.each([
  ['mean', [2, 4], [5, 7]],
  ['first', [1, 2], [5, 7]],
  ['last', [3, 6], [5, 7]],
] as const)('excludes padding from %s pooling', (pooling, ...expected) => {
  expect(poolTokens(OUTPUT, [2, 1], pooling).map((vector) => Array.from(vector))).toEqual(expected)
})
