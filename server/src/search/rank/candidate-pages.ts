import type { FusionWeights } from '#search/weights.ts'

/** Passages of one page whose word order is looked at: its best without that. */
export const ORDERED_PER_PAGE = 8

/** Features that all passages of a page share. */
export type PageFeatures = Omit<FusionWeights, 'chunk' | 'headingPrecision' | 'wordOrder'>

/**
 * The pages that one question may be answered from, a row each and a column for all that is known of them. The columns
 * are used again for each question: objects for pages were a third of what a question allocates.
 */
export class CandidatePages {
  size = 0
  /** Numbers in the corpus. */
  pages = new Uint32Array(0)
  page = new Float64Array(0)
  decay = new Float64Array(0)
  titlePrecision = new Float64Array(0)
  exactTitle = new Float64Array(0)
  latent = new Float64Array(0)
  feedback = new Float64Array(0)
  named = new Float64Array(0)
  /** What pages are worth before their best are known: without `feedback`, `named` and word order. */
  scores = new Float64Array(0)
  /** What pages can be worth at most. */
  bounds = new Float64Array(0)
  #passageCounts = new Uint8Array(0)
  /** Of each page `ORDERED_PER_PAGE` places, best passage first: numbers in the segment, and scores. */
  #passages = new Uint32Array(0)
  #passageScores = new Float64Array(0)

  /** Begins a question with these pages, of which nothing is known yet. */
  reset(pages: readonly number[]): void {
    this.size = pages.length
    if (this.pages.length < pages.length) this.#grow(Math.ceil(pages.length * 1.25))
    this.pages.set(pages)
    this.feedback.fill(0, 0, pages.length)
    this.named.fill(0, 0, pages.length)
    this.#passageCounts.fill(0, 0, pages.length)
  }

  #grow(rows: number): void {
    this.pages = new Uint32Array(rows)
    this.page = new Float64Array(rows)
    this.decay = new Float64Array(rows)
    this.titlePrecision = new Float64Array(rows)
    this.exactTitle = new Float64Array(rows)
    this.latent = new Float64Array(rows)
    this.feedback = new Float64Array(rows)
    this.named = new Float64Array(rows)
    this.scores = new Float64Array(rows)
    this.bounds = new Float64Array(rows)
    this.#passageCounts = new Uint8Array(rows)
    this.#passages = new Uint32Array(rows * ORDERED_PER_PAGE)
    this.#passageScores = new Float64Array(rows * ORDERED_PER_PAGE)
  }

  /** Keeps a passage if it is among the best of its page; of equal ones those that were added first. */
  addPassage(row: number, chunk: number, score: number): void {
    const first = row * ORDERED_PER_PAGE
    let at = first + (this.#passageCounts[row] ?? 0)
    if (at < first + ORDERED_PER_PAGE) this.#passageCounts[row] = at + 1 - first
    else if (score <= (this.#passageScores[--at] ?? 0)) return
    for (; at > first && (this.#passageScores[at - 1] ?? 0) < score; at--) {
      this.#passageScores[at] = this.#passageScores[at - 1] ?? 0
      this.#passages[at] = this.#passages[at - 1] ?? 0
    }
    this.#passageScores[at] = score
    this.#passages[at] = chunk
  }

  passageCount(row: number): number {
    return this.#passageCounts[row] ?? 0
  }

  /** The passage of a page that is best but for `place` others. */
  passage(row: number, place: number): number {
    return this.#passages[row * ORDERED_PER_PAGE + place] ?? 0
  }

  /** What that passage is worth without word order; 0 for a page without any. */
  passageScore(row: number, place: number): number {
    return place < this.passageCount(row) ? (this.#passageScores[row * ORDERED_PER_PAGE + place] ?? 0) : 0
  }

  /** What the page's own features are worth. */
  weigh(row: number, weights: FusionWeights): number {
    return (
      weights.page * (this.page[row] ?? 0) +
      weights.decay * (this.decay[row] ?? 0) +
      weights.titlePrecision * (this.titlePrecision[row] ?? 0) +
      weights.exactTitle * (this.exactTitle[row] ?? 0) +
      weights.latent * (this.latent[row] ?? 0) +
      weights.feedback * (this.feedback[row] ?? 0) +
      weights.named * (this.named[row] ?? 0)
    )
  }

  featuresOf(row: number): PageFeatures {
    return {
      page: this.page[row] ?? 0,
      decay: this.decay[row] ?? 0,
      titlePrecision: this.titlePrecision[row] ?? 0,
      exactTitle: this.exactTitle[row] ?? 0,
      latent: this.latent[row] ?? 0,
      feedback: this.feedback[row] ?? 0,
      named: this.named[row] ?? 0,
    }
  }
}
