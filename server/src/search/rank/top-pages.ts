/**
 * The `capacity` pages with the highest scores: a binary min-heap. Pages must be added in ascending order. Among equal
 * scores the first pages stay.
 */
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
