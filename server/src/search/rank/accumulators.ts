/** Scores of one question in the making, over all pages and chunks of a corpus. One is used again and again. */
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
  /** Results of `finishPage`. */
  pageScores = new Float32Array(0)
  bestScores = new Float32Array(0)
  decays = new Float32Array(0)

  /** Makes room and sets everything to zero. */
  reset(pages: number, chunks: number): void {
    if (this.pageSums.length < pages || this.chunkScores.length < chunks) {
      this.#allocate(Math.ceil(pages * 1.25), Math.ceil(chunks * 1.25))
      return
    }
    this.chunkScores.fill(0, 0, chunks)
    this.chunkHeadings.fill(0, 0, chunks)
    this.pageSums.fill(0, 0, pages)
    this.pageCovers.fill(0, 0, pages)
    this.pageSlots.fill(0, 0, pages)
    this.pageWords.fill(0, 0, pages)
    this.titleHits.fill(0, 0, pages)
    this.pageScores.fill(0, 0, pages)
    this.bestScores.fill(0, 0, pages)
    this.decays.fill(0, 0, pages)
  }

  #allocate(pages: number, chunks: number): void {
    this.chunkScores = new Float32Array(chunks)
    this.chunkHeadings = new Uint8Array(chunks)
    this.pageSums = new Float32Array(pages)
    this.pageCovers = new Float32Array(pages)
    this.pageSlots = new Uint8Array(pages)
    this.pageWords = new Uint32Array(pages)
    this.titleHits = new Uint8Array(pages)
    this.pageScores = new Float32Array(pages)
    this.bestScores = new Float32Array(pages)
    this.decays = new Float32Array(pages)
  }
}
