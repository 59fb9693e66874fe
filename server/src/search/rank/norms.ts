import { BODY_LEVELS, CODE_LEVELS, hasPart, headingLevel } from '#search/segment/field-codes.ts'
import { LENGTHS } from '#search/segment/length-code.ts'
import type { Counters } from '#search/segment/layout.ts'
import type { Weights } from '#search/weights.ts'

/** What a frequency is divided by beside itself, `k1 (1 - b + b length / average)`, for fields of one corpus, by length code. */
export type LengthNorm = Float64Array

/** What scoring an occurrence needs besides the term: of the chunks, and of the fields of a page in their order. */
export type Norms = {
  chunk: LengthNorm
  /** What an occurrence is worth that stands once in the body and nowhere else, by length code: most do. */
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
  for (let code = 0; code < norms.length; code++) norms[code] = k1 * (1 - b) + (k1 * b * (LENGTHS[code] ?? 0)) / average
  return norms
}

/** Frequencies by a chunk's byte. */
export type Frequencies = {
  /** Weighted by where in the chunk the occurrences stand. */
  chunk: Float64Array
  /** In body and code, as the page's text counts them. */
  text: Float64Array
}

export function makeFrequencies({ chunk, page }: Weights): Frequencies {
  const bytes = Array.from({ length: 256 }, (_, byte) => byte)
  const body = (byte: number) => BODY_LEVELS[byte & 7] ?? 0
  const code = (byte: number) => CODE_LEVELS[(byte >> 3) & 3] ?? 0
  const headings = [0, chunk.outerHeading, chunk.ownHeading, 0]
  const where = (byte: number) => (headings[headingLevel(byte)] ?? 0) + (hasPart(byte) ? chunk.part : 0)
  return {
    chunk: Float64Array.from(bytes, (byte) => body(byte) + chunk.code * code(byte) + where(byte)),
    text: Float64Array.from(bytes, (byte) => body(byte) + page.code * code(byte)),
  }
}

/** Inverse document frequency as BM25 has it, never negative. */
export function idf(total: number, having: number): number {
  return Math.log(1 + (total - having + 0.5) / (having + 0.5))
}
