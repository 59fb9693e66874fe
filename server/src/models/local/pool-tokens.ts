import type { Pooling } from './read-model-folder.ts'

/** Vectors of the tokens of several texts, one after the other, each text padded to the same number of tokens. */
export type TokenVectors = { data: Float32Array; tokens: number; dimensions: number }

/**
 * One vector for each text, of those of its tokens; `lengths` are the tokens that each has without padding. The mean is
 * that of Sentence Transformers: every token counts the same, the special ones too.
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
      for (const [at, value] of row(token).entries()) mean[at] = (mean[at] ?? 0) + value / length
    return mean
  })
}
