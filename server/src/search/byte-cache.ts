type Loaded<Value> = { value: Value; bytes: number }

type Entry<Value> = Loaded<Value> & {
  usedIn: number
  /** Used since it was set, or since the clock hand last passed. */
  isUsed: boolean
}

/**
 * A cache bounded by bytes with CLOCK eviction (Corbató, A paging experiment with the Multics system, 1968). Evicts the
 * oldest value not used since the hand last passed it. Unlike an LRU list it does not rewrite the map on every use,
 * which would cost more than most uses; see `RecordMap`.
 */
export class ByteCache<Value> {
  readonly #capacity: number
  readonly #onEvict: (key: string) => void
  readonly #entries = new Map<string, Entry<Value>>()
  readonly #loading = new Map<string, Promise<Value | null>>()
  #bytes = 0
  #round = 0

  /** `onEvict` gets the keys evicted for lack of room, but not deleted or replaced ones. */
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

  /** Iterates all entries. Does not count as use. */
  *entries(): Generator<[key: string, value: Value]> {
    for (const [key, { value }] of this.#entries) yield [key, value]
  }

  /** Does not count as use. */
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

  /** The cached value, or a loaded one. Concurrent callers load a value once. Null if there is none. */
  async getOrLoad(key: string, load: () => Promise<Loaded<Value> | null>): Promise<Value | null> {
    const known = this.get(key)
    if (known !== undefined) return known
    const loading = this.#loading.get(key) ?? this.#load(key, load).finally(() => this.#loading.delete(key))
    this.#loading.set(key, loading)
    return loading
  }

  async #load(key: string, load: () => Promise<Loaded<Value> | null>): Promise<Value | null> {
    const loaded = await load()
    if (loaded === null) return null
    this.set(key, loaded.value, loaded.bytes)
    return loaded.value
  }

  /** Sets a value as the newest. One larger than the whole cache is kept alone, until the next one comes. */
  set(key: string, value: Value, bytes: number): void {
    this.delete(key)
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

  /** Deletes values not used since the last `rounds` calls. */
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
