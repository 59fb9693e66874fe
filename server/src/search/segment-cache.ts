import { ByteCache } from './byte-cache.ts'
import { openSegment, type Segment } from './segment/open-segment.ts'

/** A segment's bytes, or null when it is gone. */
export type LoadSegment = (id: string) => Promise<Uint8Array | null>

/** Open segments by id, as many as fit `capacity` bytes. One that is asked for by many at once is loaded once. */
export class SegmentCache {
  readonly #open: ByteCache<Segment>
  readonly #loading = new Map<string, Promise<Segment | null>>()

  constructor(capacity: number) {
    this.#open = new ByteCache(capacity)
  }

  get bytes(): number {
    return this.#open.bytes
  }

  /** The segment if it is in memory: so that a question that needs no loading need not wait either. */
  peek(id: string): Segment | undefined {
    return this.#open.get(id)
  }

  /**
   * Null when it is gone. Rejects with `SegmentError` when it is damaged, with `SegmentFormatError` when it is of another
   * format, and with the loader's errors.
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
