import { type Section, writeSections } from '#search/segment/write-sections.ts'
import { SECTION, type SectionId } from '#search/segment/layout.ts'
import { openSegment } from '#search/segment/open-segment.ts'
import { readSections } from '#search/segment/read-sections.ts'
import { termPageMatrix } from './term-page-matrix.ts'
import { type Dense, truncatedSvd } from './truncated-svd.ts'

/** Dimensions of the latent space. Rankings hardly differ between 64 and 160. */
const DIMENSIONS = 96
/** Fewer pages are too little to learn from. With more, the computation no longer fits between two tasks. */
const MIN_PAGES = 24
const MAX_PAGES = 20_000
/** Minimum pages of a term with a stored vector. Vectors of rarer terms are quickly computed from their pages. */
export const STORED_FROM = 32

/**
 * Adds page vectors (latent semantic analysis; Deerwester et al. 1990) to a segment. Null if it has too few or too many
 * pages. Takes about a millisecond per page.
 */
export function makeVectors(bytes: Uint8Array): Uint8Array<ArrayBuffer> | null {
  const segment = openSegment(bytes)
  if (segment.pageCount < MIN_PAGES || segment.pageCount > MAX_PAGES) return null
  const matrix = termPageMatrix(segment)
  const pagesOf = (row: number) => matrix.starts[row + 1] - matrix.starts[row]
  const frequent = [...matrix.terms.keys()].filter((row) => pagesOf(row) >= STORED_FROM)
  const { pages, terms, values } = truncatedSvd(matrix, DIMENSIONS, frequent)
  const lengths = normaliseRows(pages)
  const factors = Float32Array.from(lengths, (length, page) => length / matrix.norms[page])
  const pageVectors = quantise(pages)
  const termVectors = quantise(terms)
  const sections: Section[] = [...readSections(bytes)].map(([id, data]) => ({ id: id as SectionId, data }))
  return writeSections([
    ...sections,
    { id: SECTION.vectorSteps, data: pageVectors.steps },
    { id: SECTION.pageVectors, data: pageVectors.values },
    { id: SECTION.singularValues, data: Float32Array.from(values) },
    { id: SECTION.pageFactors, data: factors },
    { id: SECTION.termSteps, data: termVectors.steps },
    { id: SECTION.termVectors, data: termVectors.values },
    { id: SECTION.termVectorIds, data: Uint32Array.from(frequent, (row) => matrix.terms[row]) },
  ])
}

/** Normalises each row to length 1, in place. Returns the original lengths. */
function normaliseRows({ count, width, data }: Dense): Float64Array {
  const lengths = new Float64Array(count)
  for (let row = 0; row < count; row++) {
    const cells = data.subarray(row * width, (row + 1) * width)
    const length = Math.sqrt(cells.reduce((sum, cell) => sum + cell * cell, 0))
    lengths[row] = length
    if (length > 0) for (let at = 0; at < width; at++) cells[at] /= length
  }
  return lengths
}

/**
 * Quantises to bytes with a step per column, its maximum over 127: later dimensions are small, but equally important.
 */
function quantise({ count, width, data }: Dense): { steps: Float32Array; values: Int8Array } {
  const steps = new Float32Array(width)
  for (let at = 0; at < count * width; at++) steps[at % width] = Math.max(steps[at % width], Math.abs(data[at]) / 127)
  const values = new Int8Array(count * width)
  for (let at = 0; at < values.length; at++) values[at] = Math.round(data[at] / (steps[at % width] || 1))
  return { steps, values }
}
