import { zstdDecompressSync } from 'node:zlib'
import type { ByteCache } from './byte-cache.ts'
import { openSegment, type Segment } from './segment/open-segment.ts'

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
