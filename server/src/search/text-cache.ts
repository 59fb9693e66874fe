import { zstdDecompressSync } from 'node:zlib'
import { ByteCache } from './byte-cache.ts'

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
