import { bodyCount, codeCount, headingsCount, titleCount } from '#search/segment/field-codes.ts'
import type { DictionaryEntry } from '#search/segment/dictionary.ts'
import type { Segment } from '#search/segment/open-segment.ts'
import { type PostingsTables, readPostingsHeader, visitPostings } from '#search/segment/postings-reader.ts'

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
const MIN_PAGES = 2
const MAX_SHARE = 0.3
/** Weights of occurrences in title, headings and code, relative to prose. */
const TITLE = 3
const HEADING = 1
const CODE = 0.5

/** The matrix of a segment, with entries log(1 + frequency) × log(pages / pages with the term), rows normalised. */
export function termPageMatrix(segment: Segment): TermPageMatrix {
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
  return pagesWithTerm >= MIN_PAGES && pagesWithTerm <= Math.max(MIN_PAGES, pageCount * MAX_SHARE)
}

export function termRarity(pageCount: number, pagesWithTerm: number): number {
  return Math.log((pageCount + 1) / pagesWithTerm)
}

/**
 * Visits the weighted frequency of a term on each of its pages. Skips pages with the term only in link texts or the
 * URL.
 */
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
    return true
  })
  return columns
}
