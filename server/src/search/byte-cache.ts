import { zstdDecompressSync } from 'node:zlib'
import { openSegment, type Segment } from './segment/open-segment.ts'

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

  /** Ignores a value larger than the whole cache. */
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

/** Loads the bytes of a segment, or null if it is gone. */
export type LoadSegment = (id: string) => Promise<Uint8Array | null>

/**
 * The segment with this id, or null if it is gone. Rejects with `SegmentError` if it is damaged, with
 * `SegmentFormatError` for another format, and with the loader's errors.
 */
export function cachedSegment(cache: ByteCache<Segment>, id: string, load: LoadSegment): Promise<Segment | null> {
  return cache.getOrLoad(id, async () => {
    const bytes = await load(id)
    if (bytes === null) return null
    const segment = openSegment(bytes)
    return { value: segment, bytes: segment.byteLength }
  })
}

/** Loads compressed Markdown by hash. Missing texts are absent. */
export type LoadTexts = (sourceId: string, hashes: string[]) => Promise<Map<string, Uint8Array>>

export type WantedText = { sourceId: string; textHash: string }

/** Initial output buffer relative to the compressed size. Fits most texts; larger ones grow it. */
const RATIO = 6
const LEAST_OUTPUT = 4_096

/** Markdown of pages by hash, without missing texts. A page that answers a question often answers the next. */
export async function cachedTexts(
  cache: ByteCache<string>,
  wanted: readonly WantedText[],
  load: LoadTexts,
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const missing = new Map<string, Set<string>>()
  for (const { sourceId, textHash } of wanted) {
    const text = cache.get(`${sourceId}/${textHash}`)
    if (text !== undefined) found.set(textHash, text)
    else missing.set(sourceId, (missing.get(sourceId) ?? new Set()).add(textHash))
  }
  for (const [sourceId, hashes] of missing)
    for (const [hash, compressed] of await load(sourceId, [...hashes])) {
      const bytes = zstdDecompressSync(compressed, { chunkSize: Math.max(LEAST_OUTPUT, RATIO * compressed.byteLength) })
      const text = bytes.toString()
      // An ASCII string takes one byte per character. Others count two.
      cache.set(`${sourceId}/${hash}`, text, text.length === bytes.length ? text.length : text.length * 2)
      found.set(hash, text)
    }
  return found
}
