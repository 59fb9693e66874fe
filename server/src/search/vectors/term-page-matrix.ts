import { bodyCount, codeCount, headingsCount, titleCount } from '#search/segment/field-codes.ts'
import type { Segment } from '#search/segment/open-segment.ts'
import { readPostingsHeader, visitPostings } from '#search/segment/postings-reader.ts'

/** A sparse matrix of terms and pages, term by term. Rows of pages have length 1. */
export type TermPageMatrix = {
  pageCount: number
  /** Number in the dictionary of each term that has a column. */
  terms: Uint32Array
  /** [terms + 1]: where the entries of each column begin. */
  starts: Uint32Array
  pages: Uint32Array
  values: Float32Array
}

/** Terms of fewer pages than this tie nothing together; those on a greater share of pages tie everything. */
const MIN_PAGES = 2
const MAX_SHARE = 0.3
/** How much a word of the title, or of a heading, counts beside one of the text. */
const TITLE = 3
const HEADING = 1
const CODE = 0.5

/** The matrix of a segment, with entries log(1 + frequency) × log(pages / pages with the term), rows normalised. */
export function termPageMatrix({ terms: dictionary, postings, pageCount }: Segment): TermPageMatrix {
  const terms: number[] = []
  const starts: number[] = [0]
  const pages: number[] = []
  const values: number[] = []
  const norms = new Float64Array(pageCount)
  dictionary.walk((_, { id, start, end }) => {
    const { stats } = readPostingsHeader(postings, start)
    if (stats.pages < MIN_PAGES || stats.pages > Math.max(MIN_PAGES, pageCount * MAX_SHARE)) return true
    const rarity = termRarity(pageCount, stats.pages)
    let current = -1
    let frequency = 0
    const close = () => {
      if (current < 0 || frequency === 0) return
      const value = Math.log1p(frequency) * rarity
      pages.push(current)
      values.push(value)
      norms[current] = (norms[current] ?? 0) + value * value
    }
    visitPostings(postings, start, end, {
      page: (page, fields) => {
        close()
        current = page
        frequency = TITLE * titleCount(fields) + HEADING * headingsCount(fields)
      },
      chunk: (_chunk, byte) => {
        frequency += bodyCount(byte) + CODE * codeCount(byte)
      },
    })
    close()
    terms.push(id)
    starts.push(pages.length)
    return true
  })
  const matrix = {
    pageCount,
    terms: Uint32Array.from(terms),
    starts: Uint32Array.from(starts),
    pages: Uint32Array.from(pages),
    values: Float32Array.from(values),
  }
  for (let at = 0; at < matrix.values.length; at++)
    matrix.values[at] = (matrix.values[at] ?? 0) / Math.sqrt(norms[matrix.pages[at] ?? 0] || 1)
  return matrix
}

export function termRarity(pageCount: number, pagesWithTerm: number): number {
  return Math.log((pageCount + 1) / pagesWithTerm)
}
