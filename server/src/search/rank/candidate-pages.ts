import type { FusionWeights } from '#search/weights.ts'

/** Passages per page considered for word order: its best by the other features. */
export const ORDERED_PER_PAGE = 8

/** Features of a single passage. The others are shared by all passages of a page. */
export type PassageFeatures = Pick<FusionWeights, 'chunk' | 'headingPrecision' | 'wordOrder'>

/**
 * Candidate pages of one question, as a table with a column per feature. The columns are reused for each question: page
 * objects were a third of all allocations.
 */
export class CandidatePages {
  size = 0
  /** Page numbers in the corpus. */
  pages = new Uint32Array(0)
  page = new Float64Array(0)
  decay = new Float64Array(0)
  lead = new Float64Array(0)
  titlePrecision = new Float64Array(0)
  exactTitle = new Float64Array(0)
  latent = new Float64Array(0)
  feedback = new Float64Array(0)
  named = new Float64Array(0)
  opening = new Float64Array(0)
  /** Preliminary scores, without `feedback`, `named`, `opening` and word order. */
  scores = new Float64Array(0)
  /** Upper bounds of the scores. */
  bounds = new Float64Array(0)
  #passageCounts = new Uint8Array(0)
  /** `ORDERED_PER_PAGE` entries per page, best first: chunk numbers in the segment, and scores. */
  #passages = new Uint32Array(0)
  #passageScores = new Float64Array(0)

  /** Starts a question with these pages and clears their features. */
  reset(pages: readonly number[]): void {
    this.size = pages.length
    if (this.pages.length < pages.length) this.#grow(Math.ceil(pages.length * 1.25))
    this.pages.set(pages)
    this.feedback.fill(0, 0, pages.length)
    this.named.fill(0, 0, pages.length)
    this.opening.fill(0, 0, pages.length)
    this.#passageCounts.fill(0, 0, pages.length)
  }

  #grow(rows: number): void {
    this.pages = new Uint32Array(rows)
    this.page = new Float64Array(rows)
    this.decay = new Float64Array(rows)
    this.lead = new Float64Array(rows)
    this.titlePrecision = new Float64Array(rows)
    this.exactTitle = new Float64Array(rows)
    this.latent = new Float64Array(rows)
    this.feedback = new Float64Array(rows)
    this.named = new Float64Array(rows)
    this.opening = new Float64Array(rows)
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

  /** Weighted sum of the page's features. */
  weigh(row: number, weights: FusionWeights): number {
    return (
      weights.page * this.page[row] +
      weights.decay * this.decay[row] +
      weights.lead * this.lead[row] +
      weights.titlePrecision * this.titlePrecision[row] +
      weights.exactTitle * this.exactTitle[row] +
      weights.latent * this.latent[row] +
      weights.feedback * this.feedback[row] +
      weights.named * this.named[row] +
      weights.opening * this.opening[row]
    )
  }

  /** Features of a passage of the page. One literal, because copies of objects took 2 percent of a search. */
  featuresOf(row: number, { chunk, headingPrecision, wordOrder }: PassageFeatures): FusionWeights {
    return {
      chunk,
      headingPrecision,
      wordOrder,
      page: this.page[row],
      decay: this.decay[row],
      lead: this.lead[row],
      titlePrecision: this.titlePrecision[row],
      exactTitle: this.exactTitle[row],
      latent: this.latent[row],
      feedback: this.feedback[row],
      named: this.named[row],
      opening: this.opening[row],
    }
  }
}
