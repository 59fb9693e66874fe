/** What is remembered of values by key, as many as fit a number of bytes; what was used longest ago goes first. */
export class ByteCache<Value> {
  readonly #capacity: number
  readonly #onEvict: (key: string) => void
  readonly #entries = new Map<string, { value: Value; bytes: number; usedIn: number }>()
  #bytes = 0
  #round = 0

  /** `onEvict` hears of keys that go because there is no room, and not of those that are deleted or set again. */
  constructor(capacity: number, onEvict: (key: string) => void = () => undefined) {
    this.#capacity = capacity
    this.#onEvict = onEvict
  }

  get bytes(): number {
    return this.#bytes
  }

  keys(): IterableIterator<string> {
    return this.#entries.keys()
  }

  /** All that is kept. It does not count as use. */
  *entries(): Generator<[key: string, value: Value]> {
    for (const [key, { value }] of this.#entries) yield [key, value]
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    entry.usedIn = this.#round
    this.#entries.set(key, entry)
    return entry.value
  }

  /** A value larger than the whole cache is not kept. */
  set(key: string, value: Value, bytes: number): void {
    this.delete(key)
    if (bytes > this.#capacity) return
    this.#entries.set(key, { value, bytes, usedIn: this.#round })
    this.#bytes += bytes
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#capacity) break
      this.delete(oldest)
      this.#onEvict(oldest)
    }
  }

  /** Deletes what was not used since the last `rounds` calls of this. */
  deleteUnused(rounds: number): void {
    for (const [key, { usedIn }] of this.#entries) {
      if (usedIn > this.#round - rounds) break
      this.delete(key)
    }
    this.#round++
  }

  delete(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#bytes -= entry.bytes
  }
}
