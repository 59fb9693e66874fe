import { ByteCache } from './byte-cache.ts'
import { openSegment, type Segment } from './segment/open-segment.ts'

/** Loads the bytes of a segment, or null if it is gone. */
export type LoadSegment = (id: string) => Promise<Uint8Array | null>

/** Cache of open segments by id, bounded by `capacity` in bytes. Concurrent requests load a segment once. */
export class SegmentCache {
  readonly #open: ByteCache<Segment>
  readonly #loading = new Map<string, Promise<Segment | null>>()

  constructor(capacity: number) {
    this.#open = new ByteCache(capacity)
  }

  get bytes(): number {
    return this.#open.bytes
  }

  /** Returns a cached segment synchronously, so that a question without loading need not wait. */
  peek(id: string): Segment | undefined {
    return this.#open.get(id)
  }

  /**
   * Returns null if the segment is gone. Rejects with `SegmentError` if it is damaged, with `SegmentFormatError` for
   * another format, and with the loader's errors.
   */
  async get(id: string, load: LoadSegment): Promise<Segment | null> {
    const known = this.#open.get(id)
    if (known !== undefined) return known
    let loading = this.#loading.get(id)
    if (loading === undefined) {
      loading = this.#fetch(id, load).finally(() => this.#loading.delete(id))
      this.#loading.set(id, loading)
    }
    return loading
  }

  forget(id: string): void {
    this.#open.delete(id)
  }

  async #fetch(id: string, load: LoadSegment): Promise<Segment | null> {
    const bytes = await load(id)
    if (bytes === null) return null
    const segment = openSegment(bytes)
    this.#open.set(id, segment, segment.byteLength)
    return segment
  }
}
