type Entry<Value> = {
  value: Value
  bytes: number
  usedIn: number
  /** Since it was set, or last passed over. */
  isUsed: boolean
}

/**
 * Values by key, as many as fit a number of bytes. When there is no room, the oldest value goes that was not used since
 * it was last passed over (CLOCK: Corbató, A paging experiment with the Multics system, 1968). Unlike a list in the order
 * of use this does not rewrite the map with every use, which costs more than most uses, see `RecordMap`.
 */
export class ByteCache<Value> {
  readonly #capacity: number
  readonly #onEvict: (key: string) => void
  readonly #entries = new Map<string, Entry<Value>>()
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

  /** Whether the key has a value. It does not count as use. */
  has(key: string): boolean {
    return this.#entries.has(key)
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    entry.usedIn = this.#round
    entry.isUsed = true
    return entry.value
  }

  /** A value larger than the whole cache is not kept. */
  set(key: string, value: Value, bytes: number): void {
    this.delete(key)
    if (bytes > this.#capacity) return
    this.#bytes += bytes
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= this.#capacity) break
      this.#entries.delete(oldest)
      if (entry.isUsed) {
        entry.isUsed = false
        this.#entries.set(oldest, entry)
      } else {
        this.#bytes -= entry.bytes
        this.#onEvict(oldest)
      }
    }
    this.#entries.set(key, { value, bytes, usedIn: this.#round, isUsed: false })
  }

  /** Deletes what was not used since the last `rounds` calls of this. */
  deleteUnused(rounds: number): void {
    for (const [key, { usedIn }] of this.#entries) if (usedIn <= this.#round - rounds) this.delete(key)
    this.#round++
  }

  delete(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#bytes -= entry.bytes
  }
}
