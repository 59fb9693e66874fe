import { writeSections, readSections } from '#search/segment/sections.ts'
import { SECTION } from '#search/segment/layout.ts'
import { openSegment, type Segment } from '#search/segment/open-segment.ts'
import { type Dense, truncatedSvd } from './truncated-svd.ts'
import { bodyCount, codeCount, headingsCount, titleCount } from '#search/segment/field-codes.ts'
import type { DictionaryEntry } from '#search/segment/dictionary.ts'
import { type PostingsTables, readPostingsHeader, visitPostings } from '#search/segment/postings.ts'

/** Dimensions of the latent space. Rankings hardly differ between 64 and 160. */
const DIMENSIONS = 96
/** Fewer pages are too little to learn from. With more, the computation no longer fits between two tasks. */
const MIN_PAGES = 24
export const MAX_PAGES = 20_000
/** Minimum pages of a term with a stored vector. Vectors of rarer terms are quickly computed from their pages. */
export const STORED_FROM = 32

/** Adds page vectors (latent semantic analysis; Deerwester et al. 1990). Null for too few or too many pages. */
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
  const own = [
    [SECTION.vectorSteps, pageVectors.steps],
    [SECTION.pageVectors, pageVectors.values],
    [SECTION.singularValues, Float32Array.from(values)],
    [SECTION.pageFactors, factors],
    [SECTION.termSteps, termVectors.steps],
    [SECTION.termVectors, termVectors.values],
    [SECTION.termVectorIds, Uint32Array.from(frequent, (row) => matrix.terms[row])],
  ] as const
  return writeSections(new Map<number, ArrayBufferView>([...readSections(bytes), ...own]))
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

/** Quantises to bytes with a step per column: later dimensions are small, but equally important. */
function quantise({ count, width, data }: Dense): { steps: Float32Array; values: Int8Array } {
  const steps = new Float32Array(width)
  for (let at = 0; at < count * width; at++) steps[at % width] = Math.max(steps[at % width], Math.abs(data[at]) / 127)
  const values = new Int8Array(count * width)
  for (let at = 0; at < values.length; at++) values[at] = Math.round(data[at] / (steps[at % width] || 1))
  return { steps, values }
}

/** A sparse matrix of terms and pages, stored by term. Each page's row has length 1. */
export type TermPageMatrix = {
  pageCount: number
  /** Dictionary number of each term with a column. */
  terms: Uint32Array
  /** [terms + 1]: start of each column's entries. */
  starts: Uint32Array
  pages: Uint32Array
  values: Float32Array
  /** [pages]: original norm of each page's row. */
  norms: Float64Array
}

/** Bounds for terms with a column: a rarer term relates no pages, and a more frequent one relates all. */
const MIN_PAGES_OF_TERM = 2
const MAX_SHARE = 0.3
/** Weights of occurrences in title, headings and code, relative to prose. */
const TITLE = 3
const HEADING = 1
const CODE = 0.5

/** The matrix of a segment, with entries log(1 + frequency) × log(pages / pages with the term), rows normalised. */
function termPageMatrix(segment: Segment): TermPageMatrix {
  const { pageCount } = segment
  const columns = chooseColumns(segment)
  const size = columns.reduce((sum, { pages }) => sum + pages, 0)
  const matrix: TermPageMatrix = {
    pageCount,
    terms: Uint32Array.from(columns, ({ entry }) => entry.id),
    starts: new Uint32Array(columns.length + 1),
    pages: new Uint32Array(size),
    values: new Float32Array(size),
    norms: new Float64Array(pageCount),
  }
  let at = 0
  for (const [column, { entry, pages }] of columns.entries()) {
    const rarity = termRarity(pageCount, pages)
    visitFrequencies(segment, entry, (page, frequency) => {
      const value = Math.log1p(frequency) * rarity
      matrix.pages[at] = page
      matrix.values[at] = value
      matrix.norms[page] += value * value
      at++
    })
    matrix.starts[column + 1] = at
  }
  for (let page = 0; page < pageCount; page++) matrix.norms[page] = Math.sqrt(matrix.norms[page] || 1)
  for (let index = 0; index < at; index++) matrix.values[index] /= matrix.norms[matrix.pages[index]]
  return matrix
}

/** True if a term on so many pages has a column. */
export function hasColumn(pageCount: number, pagesWithTerm: number): boolean {
  return pagesWithTerm >= MIN_PAGES_OF_TERM && pagesWithTerm <= Math.max(MIN_PAGES_OF_TERM, pageCount * MAX_SHARE)
}

export function termRarity(pageCount: number, pagesWithTerm: number): number {
  return Math.log((pageCount + 1) / pagesWithTerm)
}

/** Visits the weighted frequency of a term on each page that has it in a title, heading or passage. */
export function visitFrequencies(
  tables: PostingsTables,
  entry: DictionaryEntry,
  onPage: (page: number, frequency: number) => void,
): void {
  let current = -1
  let frequency = 0
  visitPostings(tables, entry, {
    page: (page, fields) => {
      if (frequency > 0) onPage(current, frequency)
      current = page
      frequency = TITLE * titleCount(fields) + HEADING * headingsCount(fields)
    },
    chunk: (_chunk, byte) => {
      frequency += bodyCount(byte) + CODE * codeCount(byte)
    },
  })
  if (frequency > 0) onPage(current, frequency)
}

function chooseColumns({ terms, postings, pageCount }: Segment): { entry: DictionaryEntry; pages: number }[] {
  const columns: { entry: DictionaryEntry; pages: number }[] = []
  terms.walk((_, entry) => {
    const { pages } = readPostingsHeader(postings, entry.start).stats
    if (hasColumn(pageCount, pages)) columns.push({ entry, pages })
  })
  return columns
}
