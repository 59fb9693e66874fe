/**
 * Scores of one question in the making, over all pages and chunks of a corpus. They are used again and again, and hold
 * what was left of questions before until a run of them is cleared: a question clears only what it looks at.
 */
export class Accumulators {
  chunkScores = new Float32Array(0)
  /** Words of the question in the chunk's own headings. */
  chunkHeadings = new Uint8Array(0)
  pageSums = new Float32Array(0)
  /** Weight of the words of the question that the page has. */
  pageCovers = new Float32Array(0)
  /** Number, counted from 1, of the word that was last found on the page. */
  pageSlots = new Uint8Array(0)
  /** Words of the question that the page has, by bit; of the first `KNOWN_WORDS`. */
  pageWords = new Uint32Array(0)
  titleHits = new Uint8Array(0)
  /** Of pages that `collect` returned: score by fields, score of the best passage, and the sum of its passages' scores. */
  pageScores = new Float32Array(0)
  bestScores = new Float32Array(0)
  decays = new Float32Array(0)

  /** Makes room. */
  reserve(pages: number, chunks: number): void {
    if (this.pageSums.length >= pages && this.chunkScores.length >= chunks) return
    const morePages = Math.max(this.pageSums.length, Math.ceil(pages * 1.25))
    const moreChunks = Math.max(this.chunkScores.length, Math.ceil(chunks * 1.25))
    this.chunkScores = new Float32Array(moreChunks)
    this.chunkHeadings = new Uint8Array(moreChunks)
    this.pageSums = new Float32Array(morePages)
    this.pageCovers = new Float32Array(morePages)
    this.pageSlots = new Uint8Array(morePages)
    this.pageWords = new Uint32Array(morePages)
    this.titleHits = new Uint8Array(morePages)
    this.pageScores = new Float32Array(morePages)
    this.bestScores = new Float32Array(morePages)
    this.decays = new Float32Array(morePages)
  }

  clearPage(page: number): void {
    this.pageSums[page] = 0
    this.pageCovers[page] = 0
    this.pageSlots[page] = 0
    this.pageWords[page] = 0
    this.titleHits[page] = 0
  }

  clearChunks(from: number, to: number): void {
    this.chunkScores.fill(0, from, to)
    this.chunkHeadings.fill(0, from, to)
  }
}
