/**
 * Scores of the current question, over all pages and chunks of a corpus. Reused between questions and not cleared in
 * full: a question clears only the ranges it reads.
 */
export class Accumulators {
  chunkScores = new Float32Array(0)
  /** Number of question words in the chunk's own headings. */
  chunkHeadings = new Uint8Array(0)
  pageSums = new Float32Array(0)
  /** Sum of the covers of the question words on the page (see weigh-terms.ts). */
  pageCovers = new Float32Array(0)
  /** Number of the last question word found on the page, from 1. */
  pageTerms = new Uint8Array(0)
  /** Bit set of the first `KNOWN_WORDS` question words on the page. */
  pageWords = new Uint32Array(0)
  titleHits = new Uint8Array(0)
  /** Only for pages returned by `collect`: field score, best passage score, and sum of the passage scores. */
  pageScores = new Float32Array(0)
  bestScores = new Float32Array(0)
  decays = new Float32Array(0)

  /** Grows the arrays to at least this size. */
  reserve(pages: number, chunks: number): void {
    if (this.pageSums.length >= pages && this.chunkScores.length >= chunks) return
    const morePages = Math.max(this.pageSums.length, Math.ceil(pages * 1.25))
    const moreChunks = Math.max(this.chunkScores.length, Math.ceil(chunks * 1.25))
    this.chunkScores = new Float32Array(moreChunks)
    this.chunkHeadings = new Uint8Array(moreChunks)
    this.pageSums = new Float32Array(morePages)
    this.pageCovers = new Float32Array(morePages)
    this.pageTerms = new Uint8Array(morePages)
    this.pageWords = new Uint32Array(morePages)
    this.titleHits = new Uint8Array(morePages)
    this.pageScores = new Float32Array(morePages)
    this.bestScores = new Float32Array(morePages)
    this.decays = new Float32Array(morePages)
  }

  clearPage(page: number): void {
    this.pageSums[page] = 0
    this.pageCovers[page] = 0
    this.pageTerms[page] = 0
    this.pageWords[page] = 0
    this.titleHits[page] = 0
  }

  clearChunks(from: number, to: number): void {
    this.chunkScores.fill(0, from, to)
    this.chunkHeadings.fill(0, from, to)
  }
}
