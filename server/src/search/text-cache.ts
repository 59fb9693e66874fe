import { zstdDecompressSync } from 'node:zlib'
import { ByteCache } from './byte-cache.ts'

/** Compressed Markdown by hash; a text that is gone is absent. */
export type LoadTexts = (sourceId: string, hashes: string[]) => Promise<Map<string, Uint8Array>>

export type WantedText = { sourceId: string; textHash: string }

/** Room for the text of a page: what most texts become, instead of memory for the largest. What needs more gets more. */
const RATIO = 6
const LEAST_OUTPUT = 4_096

/** Pages that were quoted lately, decompressed: a page that answers one question mostly answers the next one too. */
export class TextCache {
  readonly #texts: ByteCache<string>

  constructor(capacity: number) {
    this.#texts = new ByteCache(capacity)
  }

  /** See `ByteCache`. */
  deleteUnused(rounds: number): void {
    this.#texts.deleteUnused(rounds)
  }

  /** Markdown of pages by hash. A text that is gone is absent. */
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
        // A text of ASCII alone is kept in one byte a character, others in two.
        this.#texts.set(`${sourceId}/${hash}`, text, text.length === bytes.length ? text.length : text.length * 2)
        found.set(hash, text)
      }
    return found
  }
}
