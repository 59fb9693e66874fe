import { elementAt } from '#lib/element-at.ts'
import type { Pooling } from './read-model-folder.ts'

/** Token vectors of several texts, concatenated. Each text is padded to the same number of tokens. */
export type TokenVectors = { data: Float32Array; tokens: number; dimensions: number }

/**
 * Pools token vectors into one vector per text. `lengths` are token counts without padding. The mean is that of
 * Sentence Transformers: every token has equal weight, including special tokens.
 */
export function poolTokens(
  { data, tokens, dimensions }: TokenVectors,
  lengths: readonly number[],
  pooling: Pooling,
): Float32Array[] {
  return lengths.map((length, text) => {
    const row = (token: number) => {
      const at = (text * tokens + token) * dimensions
      return data.subarray(at, at + dimensions)
    }
    if (pooling === 'first') return row(0).slice()
    if (pooling === 'last') return row(length - 1).slice()
    const mean = new Float32Array(dimensions)
    for (let token = 0; token < length; token++)
      for (const [at, value] of row(token).entries()) mean[at] = elementAt(mean, at) + value / length
    return mean
  })
}
