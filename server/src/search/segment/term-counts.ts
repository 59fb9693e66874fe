/**
 * Term counts of one place (a chunk or a page), in arrays over all terms, so that counting allocates nothing. Each term
 * has `width` counters.
 */
export class TermCounts {
  readonly #width: number
  #counts: Uint16Array
  /** Distinct counted terms, in the order of first occurrence. */
  readonly touched: number[] = []

  constructor(width: number) {
    this.#width = width
    this.#counts = new Uint16Array(width << 12)
  }

  add(term: number, counter: number, by = 1): void {
    const at = term * this.#width
    if (at >= this.#counts.length) this.#grow(at)
    if (this.#counts[at] === 0) {
      // Counter 0 is reserved: it marks a term as touched.
      this.#counts[at] = 1
      this.touched.push(term)
    }
    this.#counts[at + counter] += by
  }

  /** `counter` starts at 1. */
  get(term: number, counter: number): number {
    return this.#counts[term * this.#width + counter]
  }

  /** Raises the counter to at least `value`. */
  raise(term: number, counter: number, value: number): void {
    const now = this.get(term, counter)
    if (now < value) this.add(term, counter, value - now)
  }

  clear(): void {
    for (const term of this.touched) this.#counts.fill(0, term * this.#width, (term + 1) * this.#width)
    this.touched.length = 0
  }

  #grow(index: number): void {
    const larger = new Uint16Array(Math.max(this.#counts.length * 2, index + this.#width))
    larger.set(this.#counts)
    this.#counts = larger
  }
}
