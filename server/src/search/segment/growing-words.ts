/** A growable list of unsigned 32-bit integers. */
export class GrowingWords {
  #words = new Uint32Array(1 << 12)
  length = 0

  push(value: number): void {
    if (this.length === this.#words.length) {
      const larger = new Uint32Array(this.length * 2)
      larger.set(this.#words)
      this.#words = larger
    }
    this.#words[this.length++] = value
  }

  view(): Uint32Array {
    return this.#words.subarray(0, this.length)
  }
}
