import { BODY_LEVELS, CODE_LEVELS, headingLevel } from '#search/segment/field-codes.ts'
import { LENGTHS } from '#search/segment/length-code.ts'
import type { Counters } from '#search/segment/layout.ts'
import type { Weights } from '#search/weights.ts'

/** Denominator term of BM25, `k1 (1 - b + b length / average)`, for a field of one corpus, by length code. */
export type LengthNorm = Float64Array

/** Length norms of a corpus: for chunks, and for page fields in their order. */
export type Norms = {
  chunk: LengthNorm
  /**
   * Score of a term that occurs once in the body and nowhere else in the chunk, by length code. The most common case.
   */
  plain: Float64Array
  page: readonly LengthNorm[]
}

export function makeNorms(counters: Counters, { chunk, page }: Weights): Norms {
  const average = (sum: number) => Math.max(1, sum / Math.max(1, counters.pages))
  const { k1, b } = page
  const ofChunk = lengthNorm(chunk.k1, chunk.b, Math.max(1, counters.chunkWords / Math.max(1, counters.chunks)))
  return {
    chunk: ofChunk,
    plain: ofChunk.map((norm) => 1 / (1 + norm)),
    page: [
      lengthNorm(k1, b.title, average(counters.title)),
      lengthNorm(k1, b.headings, average(counters.headings)),
      lengthNorm(k1, b.anchors, average(counters.anchors)),
      lengthNorm(k1, b.path, average(counters.path)),
      lengthNorm(k1, b.text, average(counters.text)),
      lengthNorm(k1, b.parts, average(counters.parts)),
    ],
  }
}

function lengthNorm(k1: number, b: number, average: number): LengthNorm {
  const norms = new Float64Array(LENGTHS.length)
  for (let code = 0; code < norms.length; code++) norms[code] = k1 * (1 - b) + (k1 * b * LENGTHS[code]) / average
  return norms
}

/** Term frequencies, by a chunk's postings byte. */
export type Frequencies = {
  /** Occurrences in body and code, and one for the headings. */
  chunk: Float64Array
  /** Occurrences in body and code, for the text field of the page. */
  text: Float64Array
}

export function makeFrequencies(): Frequencies {
  const bytes = Array.from({ length: 256 }, (_, byte) => byte)
  const text = Float64Array.from(bytes, (byte) => BODY_LEVELS[byte & 7] + CODE_LEVELS[(byte >> 3) & 3])
  return { text, chunk: text.map((frequency, byte) => frequency + (headingLevel(byte) > 0 ? 1 : 0)) }
}

/** Inverse document frequency as in BM25, never negative. */
export function idf(total: number, having: number): number {
  return Math.log(1 + (total - having + 0.5) / (having + 0.5))
}
