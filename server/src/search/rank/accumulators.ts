import type { FusionWeights } from '#search/weights.ts'

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
  readonly #capacity: number
  // Plain arrays, because typed ones of this size take longer to allocate than to fill.
  readonly #scores: number[] = []
  readonly #pages: number[] = []
  size = 0
  /** Score that a page must exceed to enter. */
  threshold = 0

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  add(page: number, exactScore: number): void {
    const score = Math.fround(exactScore)
    if (score <= this.threshold) return
    if (this.size === this.#capacity) this.#sink(page, score)
    else this.#rise(this.size++, page, score)
    if (this.size === this.#capacity) this.threshold = this.#scores[0]
  }

  /** Unordered. */
  pages(): readonly number[] {
    return this.#pages
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

/**
 * Passages per page considered for word order: its best by the other features. With four, the first five passages of 52
 * questions hold the key fact 35 times instead of 38, and the time is the same.
 */
export const ORDERED_PER_PAGE = 8

/** Features of a single passage. The others are shared by all passages of a page. */
export type PassageFeatures = Pick<FusionWeights, 'chunk' | 'headingPrecision' | 'wordOrder'>

/** Features of a page, in the order of its row. The last two are added after the preliminary ranking. */
const NAMES = ['page', 'decay', 'lead', 'titlePrecision', 'latent', 'feedback', 'opening'] as const
type PageFeature = (typeof NAMES)[number]
const PLACE = Object.fromEntries(NAMES.map((name, place) => [name, place])) as Record<PageFeature, number>
const WIDTH = NAMES.length

/** Candidate pages with their features, in a reused table: page objects were a third of all allocations. */
export class CandidatePages {
  size = 0
  /** Page numbers in the corpus. */
  pages = new Uint32Array(0)
  /** Preliminary scores, without late features and word order. */
  scores = new Float64Array(0)
  /** Upper bounds of the scores. */
  bounds = new Float64Array(0)
  #features = new Float64Array(0)
  readonly #weights = new Float64Array(WIDTH)
  #passageCounts = new Uint8Array(0)
  /** `ORDERED_PER_PAGE` entries per page, best first: chunk numbers in the segment, and scores. */
  #passages = new Uint32Array(0)
  #passageScores = new Float64Array(0)

  /** Starts a question with these pages and clears their features. */
  reset(pages: readonly number[], weights: FusionWeights): void {
    this.size = pages.length
    if (this.pages.length < pages.length) this.#grow(Math.ceil(pages.length * 1.25))
    this.pages.set(pages)
    this.#features.fill(0, 0, pages.length * WIDTH)
    for (const name of NAMES) this.#weights[PLACE[name]] = weights[name]
    this.#passageCounts.fill(0, 0, pages.length)
  }

  #grow(rows: number): void {
    this.pages = new Uint32Array(rows)
    this.#features = new Float64Array(rows * WIDTH)
    this.scores = new Float64Array(rows)
    this.bounds = new Float64Array(rows)
    this.#passageCounts = new Uint8Array(rows)
    this.#passages = new Uint32Array(rows * ORDERED_PER_PAGE)
    this.#passageScores = new Float64Array(rows * ORDERED_PER_PAGE)
  }

  /** Adds a passage if it is among the best of its page. Among equal scores the first one added wins. */
  addPassage(row: number, chunk: number, score: number): void {
    const first = row * ORDERED_PER_PAGE
    let at = first + this.#passageCounts[row]
    if (at < first + ORDERED_PER_PAGE) this.#passageCounts[row] = at + 1 - first
    else if (score <= this.#passageScores[--at]) return
    for (; at > first && this.#passageScores[at - 1] < score; at--) {
      this.#passageScores[at] = this.#passageScores[at - 1]
      this.#passages[at] = this.#passages[at - 1]
    }
    this.#passageScores[at] = score
    this.#passages[at] = chunk
  }

  passageCount(row: number): number {
    return this.#passageCounts[row]
  }

  /** Chunk number of the passage at rank `place` of a page, from 0. */
  passage(row: number, place: number): number {
    return this.#passages[row * ORDERED_PER_PAGE + place]
  }

  /** Score of that passage without word order. 0 if the page has none. */
  passageScore(row: number, place: number): number {
    return place < this.passageCount(row) ? this.#passageScores[row * ORDERED_PER_PAGE + place] : 0
  }

  set(row: number, feature: PageFeature, value: number): void {
    this.#features[row * WIDTH + PLACE[feature]] = value
  }

  /** Weighted sum of the page's features. */
  weigh(row: number): number {
    let sum = 0
    for (let at = 0, first = row * WIDTH; at < WIDTH; at++) sum += this.#weights[at] * this.#features[first + at]
    return sum
  }

  /** Features of a passage of the page. One literal, because copies of objects took 2 percent of a search. */
  featuresOf(row: number, { chunk, headingPrecision, wordOrder }: PassageFeatures): FusionWeights {
    const first = row * WIDTH
    return {
      chunk,
      headingPrecision,
      wordOrder,
      page: this.#features[first + PLACE.page],
      decay: this.#features[first + PLACE.decay],
      lead: this.#features[first + PLACE.lead],
      titlePrecision: this.#features[first + PLACE.titlePrecision],
      latent: this.#features[first + PLACE.latent],
      feedback: this.#features[first + PLACE.feedback],
      opening: this.#features[first + PLACE.opening],
    }
  }
}
