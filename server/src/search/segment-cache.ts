import { zstdDecompressSync } from 'node:zlib'
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

/** Loads compressed Markdown by hash. Missing texts are absent. */
export type LoadTexts = (sourceId: string, hashes: string[]) => Promise<Map<string, Uint8Array>>

export type WantedText = { sourceId: string; textHash: string }

/** Initial output buffer relative to the compressed size. Fits most texts; larger ones grow it. */
const RATIO = 6
const LEAST_OUTPUT = 4_096

/** Cache of decompressed pages quoted recently. A page that answers one question often answers the next. */
export class TextCache {
  readonly #texts: ByteCache<string>

  constructor(capacity: number) {
    this.#texts = new ByteCache(capacity)
  }

  /** See `ByteCache`. */
  deleteUnused(rounds: number): void {
    this.#texts.deleteUnused(rounds)
  }

  /** Markdown of pages by hash, without missing texts. */
  async get(wanted: readonly WantedText[], load: LoadTexts): Promise<Map<string, string>> {
    const found = new Map<string, string>()
    const missing = new Map<string, Set<string>>()
    for (const { sourceId, textHash } of wanted) {
      const text = this.#texts.get(`${sourceId}/${textHash}`)
      if (text !== undefined) found.set(textHash, text)
      else missing.set(sourceId, (missing.get(sourceId) ?? new Set()).add(textHash))
    }
    for (const [sourceId, hashes] of missing)
      for (const [hash, compressed] of await load(sourceId, [...hashes])) {
        const bytes = zstdDecompressSync(compressed, {
          chunkSize: Math.max(LEAST_OUTPUT, RATIO * compressed.byteLength),
        })
        const text = bytes.toString()
        // An ASCII string takes one byte per character. Others count two.
        this.#texts.set(`${sourceId}/${hash}`, text, text.length === bytes.length ? text.length : text.length * 2)
        found.set(hash, text)
      }
    return found
  }
}
