import { ByteCache } from './byte-cache.ts'
import type { ByteRanges } from './segment/open-segment.ts'
import { impactBytes, type TermImpacts } from './rank/term-impacts.ts'

/** Data that threads must release: ids of segments, and keys of impacts. */
export type Forgotten = { segments: readonly string[]; impacts: readonly string[] }

/** Bytes of a segment, and how to read the rest of them if they are not whole (`LoadInParts`). */
export type OpenedBytes = { bytes: Uint8Array; rest?: RestOfBytes | null }
export type RestOfBytes = { isWhole: boolean; read(ranges: ByteRanges | null): Promise<boolean> }

export type SharedIndexOptions = {
  load: (id: string) => Promise<OpenedBytes | null>
  /** Bytes for segments, and for impacts. */
  segmentBytes: number
  impactBytes: number
  /** Number of search threads. Data that those which use a segment derive from it counts towards its memory. */
  threads?: number
  /** Called with the data to release. It stays in memory until every thread has released it. */
  onForget: (gone: Forgotten) => void
}

/** Memory that one thread derives from a segment. Fitted to segments of 0.3 MB (64 kB derived) and 20 kB. */
const MADE = { share: 0.15, bytes: 16_000 }

/** A segment, and how many threads asked for it. */
type KeptSegment = { bytes: SharedArrayBuffer; users: number; rest: RestOfBytes | null }
/**
 * Segments and impacts shared by all threads, each in memory once. The main thread owns them and decides on eviction:
 * first data that no server uses, then the least recently used.
 */
export class SharedIndex {
  readonly #load: SharedIndexOptions['load']
  readonly #onForget: SharedIndexOptions['onForget']
  readonly #threads: number
  readonly #segments: ByteCache<KeptSegment>
  readonly #impacts: ByteCache<{ impacts: TermImpacts; segments: readonly string[] }>
  /** Segments sent to threads for release since the last `forgetReplaced`. */
  #forgotten: string[] = []
  #reads = 0

  constructor({ load, segmentBytes, impactBytes: forImpacts, threads = 0, onForget }: SharedIndexOptions) {
    this.#threads = threads
    this.#load = load
    this.#onForget = onForget
    this.#segments = new ByteCache(segmentBytes, (id) => this.#forgetSegments([id]))
    this.#impacts = new ByteCache(forImpacts, (key) => onForget({ segments: [], impacts: [key] }))
  }

  get bytes(): number {
    return this.#segments.bytes + this.#impacts.bytes
  }

  /** How many segments calls did not find in memory. */
  get reads(): number {
    return this.#reads
  }

  /**
   * Bytes of a segment for a thread, which asks once, and whether they are whole. Concurrent requests load it once. Null
   * if it is gone. Rejects with the loader's errors.
   */
  async segment(id: string): Promise<{ bytes: SharedArrayBuffer; isWhole: boolean } | null> {
    const segment = await this.#kept(id)
    if (segment === null) return null
    if (segment.users < this.#threads) {
      segment.users += 1
      const { byteLength } = segment.bytes
      this.#segments.set(id, segment, byteLength + segment.users * (MADE.bytes + MADE.share * byteLength))
    }
    return { bytes: segment.bytes, isWhole: isWhole(segment) }
  }

  /** Reads ranges of a segment and all that is not by term, or all of it. False if it is gone. Rejects as `segment` does. */
  async read(id: string, ranges: ByteRanges | null): Promise<boolean> {
    const segment = await this.#kept(id)
    if (segment === null || isWhole(segment)) return segment !== null
    let isThere = false
    try {
      isThere = (await segment.rest?.read(ranges)) ?? true
    } finally {
      if (!isThere && this.#segments.get(id) === segment) {
        this.#segments.delete(id)
        this.#forgetSegments([id])
      }
    }
    return isThere
  }

  /** Reads the rest of those among these segments that are in memory in part. Rejects as `segment` does. */
  async complete(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const segment = this.#segments.get(id)
      if (segment !== undefined && !isWhole(segment)) await this.read(id, null)
    }
  }

  /** Marks these segments as used. Returns their total bytes, NaN if one is not in memory. */
  useSegments(ids: readonly string[]): number {
    let bytes = 0
    for (const id of ids) bytes += this.#segments.get(id)?.bytes.byteLength ?? Number.NaN
    return bytes
  }

  /** Total bytes of these segments, which it loads. Rejects with the loader's errors. */
  async bytesOf(ids: readonly string[]): Promise<number> {
    const segments = await Promise.all(ids.map((id) => this.#kept(id)))
    return segments.reduce((bytes, segment) => bytes + (segment?.bytes.byteLength ?? 0), 0)
  }

  /** Stores impacts made by a thread. If another thread stored some before, returns those instead. */
  addImpacts(key: string, impacts: TermImpacts, segments: readonly string[]): TermImpacts {
    const known = this.#impacts.get(key)
    if (known !== undefined) return known.impacts
    this.#impacts.set(key, { impacts, segments }, impactBytes(impacts))
    return impacts
  }

  /** Marks these impacts as used. */
  useImpacts(keys: readonly string[]): void {
    for (const key of keys) this.#impacts.get(key)
  }

  /** Forgets segments that no server uses, and impacts based on them. `findServed` returns the ids in use. */
  async forgetReplaced(findServed: (ids: readonly string[]) => Promise<ReadonlySet<string>>): Promise<void> {
    const ids = new Set(this.#segments.keys())
    for (const [, { segments }] of this.#impacts.entries()) for (const id of segments) ids.add(id)
    const again = this.#forgotten.filter((id) => !ids.has(id))
    this.#forgotten = []
    const served = ids.size === 0 ? ids : await findServed([...ids])
    const gone = [...ids].filter((id) => !served.has(id))
    for (const id of gone) this.#segments.delete(id)
    // A thread that was loading a segment missed the first order to forget it, so repeat the order.
    const late = again.filter((id) => !this.#segments.has(id))
    if (late.length > 0) this.#onForget({ segments: late, impacts: [] })
    if (gone.length === 0) return
    this.#forgetSegments(gone)
    const without = new Set(gone)
    const impacts: string[] = []
    for (const [key, { segments }] of this.#impacts.entries())
      if (segments.some((id) => without.has(id))) impacts.push(key)
    for (const key of impacts) this.#impacts.delete(key)
    if (impacts.length > 0) this.#onForget({ segments: [], impacts })
  }

  #kept(id: string): Promise<KeptSegment | null> {
    return this.#segments.getOrLoad(id, async () => {
      this.#reads += 1
      const opened = await this.#load(id)
      if (opened === null) return null
      const { bytes, rest = null } = opened
      const { buffer, byteLength } = bytes
      const isShared = buffer instanceof SharedArrayBuffer && buffer.byteLength === byteLength
      const shared = isShared ? buffer : new SharedArrayBuffer(byteLength)
      if (!isShared) new Uint8Array(shared).set(bytes)
      return { value: { bytes: shared, users: 0, rest }, bytes: byteLength }
    })
  }

  #forgetSegments(ids: readonly string[]): void {
    this.#forgotten.push(...ids)
    this.#onForget({ segments: ids, impacts: [] })
  }
}

const isWhole = ({ rest }: KeptSegment) => rest === null || rest.isWhole
