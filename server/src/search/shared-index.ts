import { ByteCache } from './byte-cache.ts'
import { impactBytes, openImpacts, type SharedImpacts } from './rank/term-impacts.ts'
import type { LoadSegment } from './segment-cache.ts'

/** What no thread must keep any longer: ids of segments, keys of impacts. */
export type Forgotten = { segments: readonly string[]; impacts: readonly string[] }

export type SharedIndexOptions = {
  load: LoadSegment
  /** Bytes for segments, and for impacts. */
  segmentBytes: number
  impactBytes: number
  /** Threads that search. What each makes of a segment counts as memory of the segment. */
  threads?: number
  /** Is told what has to go. What a thread still holds of it stays in memory until it lets go. */
  onForget: (gone: Forgotten) => void
}

/**
 * What one thread makes of a segment: tables of it, norms, its catalogue. Measured with segments of 0.3 MB, of which it
 * is 64 kB, and of 20 kB.
 */
const MADE = { share: 0.15, bytes: 16_000 }

type KeptImpacts = { impacts: SharedImpacts; segments: readonly string[] }

/**
 * The segments and impacts that all threads search in, each in memory once. Kept by the main thread, which alone decides
 * what goes: what no server serves any more, and then what was used longest ago.
 */
export class SharedIndex {
  readonly #load: LoadSegment
  readonly #onForget: SharedIndexOptions['onForget']
  readonly #threads: number
  readonly #segments: ByteCache<SharedArrayBuffer>
  readonly #impacts: ByteCache<KeptImpacts>
  readonly #loading = new Map<string, Promise<SharedArrayBuffer | null>>()
  /** Segments that threads were told to forget since `forgetReplaced` last ran. */
  #forgotten: string[] = []

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

  /** A segment's bytes, loaded once however many ask; null when it is gone. Rejects with the loader's errors. */
  async segment(id: string): Promise<SharedArrayBuffer | null> {
    const known = this.#segments.get(id)
    if (known !== undefined) return known
    let loading = this.#loading.get(id)
    if (loading === undefined) {
      loading = this.#fetch(id).finally(() => this.#loading.delete(id))
      this.#loading.set(id, loading)
    }
    return loading
  }

  /** Notes that these segments are being searched. */
  useSegments(ids: readonly string[]): void {
    for (const id of ids) this.#segments.get(id)
  }

  /** Keeps impacts that a thread made. Returns those to use: the ones that another thread made before, if any. */
  addImpacts(key: string, impacts: SharedImpacts, segments: readonly string[]): SharedImpacts {
    const known = this.#impacts.get(key)
    if (known !== undefined) return known.impacts
    this.#impacts.set(key, { impacts, segments }, impactBytes(openImpacts(impacts)))
    // Larger than all there is room for.
    if (!this.#impacts.has(key)) this.#onForget({ segments: [], impacts: [key] })
    return impacts
  }

  /** Notes that these impacts were used. */
  useImpacts(keys: readonly string[]): void {
    for (const key of keys) this.#impacts.get(key)
  }

  /**
   * Forgets segments that no server serves any more, and the impacts made of them. `findServed` is given all ids in
   * memory, and answers with those that are served. Rejects with its errors.
   */
  async forgetReplaced(findServed: (ids: readonly string[]) => Promise<ReadonlySet<string>>): Promise<void> {
    const ids = new Set(this.#segments.keys())
    for (const [, { segments }] of this.#impacts.entries()) for (const id of segments) ids.add(id)
    const again = this.#forgotten.filter((id) => !ids.has(id))
    this.#forgotten = []
    const served = ids.size === 0 ? ids : await findServed([...ids])
    const gone = [...ids].filter((id) => !served.has(id))
    for (const id of gone) this.#segments.delete(id)
    // A thread that was just loading a segment when it was told to forget it has it still, and is told once more.
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

  #forgetSegments(ids: readonly string[]): void {
    this.#forgotten.push(...ids)
    this.#onForget({ segments: ids, impacts: [] })
  }

  async #fetch(id: string): Promise<SharedArrayBuffer | null> {
    const bytes = await this.#load(id)
    if (bytes === null) return null
    const shared = new SharedArrayBuffer(bytes.byteLength)
    new Uint8Array(shared).set(bytes)
    const made = this.#threads * (MADE.bytes + MADE.share * shared.byteLength)
    this.#segments.set(id, shared, shared.byteLength + made)
    return shared
  }
}
