/** Scores of the current question in a corpus. Reused: a question clears only the ranges it reads. */
export class Accumulators {
  chunkScores = new Float32Array(0)
  /** Number of question words in the chunk's own headings. */
  chunkHeadings = new Uint8Array(0)
  pageSums = new Float32Array(0)
  /** Sum of the covers of the question words on the page (resolve-query.ts). */
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

/** The `capacity` best pages: a min-heap. Of equal scores the first pages stay. Add pages in ascending order. */
export class TopPages {
  readonly #scores: Float32Array
  readonly #pages: Uint32Array
  size = 0
  /** Score that a page must exceed to enter. */
  threshold = 0

  constructor(capacity: number) {
    this.#scores = new Float32Array(capacity)
    this.#pages = new Uint32Array(capacity)
  }

  add(page: number, exactScore: number): void {
    const score = Math.fround(exactScore)
    if (score <= this.threshold) return
    if (this.size === this.#scores.length) this.#sink(page, score)
    else this.#rise(this.size++, page, score)
    if (this.size === this.#scores.length) this.threshold = this.#scores[0]
  }

  /** Unordered. */
  pages(): Uint32Array {
    return this.#pages.subarray(0, this.size)
  }

  #rise(from: number, page: number, score: number): void {
    let at = from
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#isAbove(parent, page, score)) break
      this.#put(at, this.#pages[parent], this.#scores[parent])
      at = parent
    }
    this.#put(at, page, score)
  }

  /** Replaces the page with the lowest score. */
  #sink(page: number, score: number): void {
    let at = 0
    for (;;) {
      let child = at * 2 + 1
      if (child >= this.size) break
      if (child + 1 < this.size && this.#isAbove(child, this.#pages[child + 1], this.#scores[child + 1])) child++
      if (this.#isAbove(child, page, score)) break
      this.#put(at, this.#pages[child], this.#scores[child])
      at = child
    }
    this.#put(at, page, score)
  }

  /** True if the page at a place ranks above another page. */
  #isAbove(at: number, page: number, score: number): boolean {
    const own = this.#scores[at]
    return own > score || (own === score && this.#pages[at] < page)
  }

  #put(at: number, page: number, score: number): void {
    this.#pages[at] = page
    this.#scores[at] = score
  }
}
