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
  /** Is told what has to go. What a thread still holds of it stays in memory until it lets go. */
  onForget: (gone: Forgotten) => void
}

/**
 * The segments and impacts that all threads search in, each in memory once. Kept by the main thread, which alone decides
 * what goes: what was used longest ago.
 */
export class SharedIndex {
  readonly #load: LoadSegment
  readonly #onForget: SharedIndexOptions['onForget']
  readonly #segments: ByteCache<SharedArrayBuffer>
  readonly #impacts: ByteCache<SharedImpacts>
  readonly #loading = new Map<string, Promise<SharedArrayBuffer | null>>()

  constructor({ load, segmentBytes, impactBytes: forImpacts, onForget }: SharedIndexOptions) {
    this.#load = load
    this.#onForget = onForget
    this.#segments = new ByteCache(segmentBytes, (id) => onForget({ segments: [id], impacts: [] }))
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
  addImpacts(key: string, impacts: SharedImpacts): SharedImpacts {
    const known = this.#impacts.get(key)
    if (known !== undefined) return known
    this.#impacts.set(key, impacts, impactBytes(openImpacts(impacts)))
    // Larger than all there is room for.
    if (this.#impacts.get(key) === undefined) this.#onForget({ segments: [], impacts: [key] })
    return impacts
  }

  /** Notes that these impacts were used. */
  useImpacts(keys: readonly string[]): void {
    for (const key of keys) this.#impacts.get(key)
  }

  async #fetch(id: string): Promise<SharedArrayBuffer | null> {
    const bytes = await this.#load(id)
    if (bytes === null) return null
    const shared = new SharedArrayBuffer(bytes.byteLength)
    new Uint8Array(shared).set(bytes)
    this.#segments.set(id, shared, shared.byteLength)
    return shared
  }
}
