import { type Counters, PAGE_FIELDS, type PageField } from '#search/segment/layout.ts'
import { LENGTHS } from '#search/segment/length-code.ts'
import { BODY_LEVELS, CODE_LEVELS, hasPart, headingLevel } from '#search/segment/field-codes.ts'
import type { Weights } from '#search/weights.ts'

/** Tables of one question over one corpus, so that scoring an occurrence needs no more than look-ups. */
export type Norms = {
  /** By length code: what a frequency is divided by beside itself, `k1 (1 - b + b length / average)`. */
  chunk: Float64Array
  page: Record<PageField, Float64Array>
  /** By a chunk's byte: frequency, weighted by where the occurrences stand. */
  chunkFrequency: Float64Array
  /** By a chunk's byte: occurrences in body and code, as the page's text counts them. */
  textFrequency: Float64Array
}

export function makeNorms(counters: Counters, { chunk, page }: Weights): Norms {
  const bytes = Array.from({ length: 256 }, (_, byte) => byte)
  const body = (byte: number) => BODY_LEVELS[byte & 7] ?? 0
  const code = (byte: number) => CODE_LEVELS[(byte >> 3) & 3] ?? 0
  const headings = [0, chunk.outerHeading, chunk.ownHeading, 0]
  const fields = PAGE_FIELDS.map((field) => [
    field,
    lengthNorms(page.k1, page.b[field], counters[field] / Math.max(1, counters.pages)),
  ])
  return {
    chunk: lengthNorms(chunk.k1, chunk.b, counters.chunkWords / Math.max(1, counters.chunks)),
    page: Object.fromEntries(fields) as Record<PageField, Float64Array>,
    chunkFrequency: Float64Array.from(
      bytes,
      (byte) =>
        body(byte) + chunk.code * code(byte) + (headings[headingLevel(byte)] ?? 0) + (hasPart(byte) ? chunk.part : 0),
    ),
    textFrequency: Float64Array.from(bytes, (byte) => body(byte) + page.code * code(byte)),
  }
}

function lengthNorms(k1: number, b: number, average: number): Float64Array {
  return LENGTHS.map((length) => k1 * (1 - b + (b * length) / Math.max(1, average)))
}

/** Inverse document frequency as BM25 has it, never negative. */
export function idf(total: number, having: number): number {
  return Math.log(1 + (total - having + 0.5) / (having + 0.5))
}
