import { isOlderThan, versionInUrl } from './catalogue/page-version.ts'
import type { RankedChunk } from './rank/fuse.ts'

/** A question that names a version, or asks for an older one. */
const NAMES_VERSION = /\bv?\d+\.(?:\d|x\b)|\bv\d|\bversions?\b|\b(?:legacy|old|older|previous)\b/i

/** Just below the newer copy. */
const BELOW = 0.999

/** Moves passages of old copies of a page below those of its newest copy among them, unless the query names a version. */
export function lowerOldCopies<Chunk extends RankedChunk>(chunks: Chunk[], query: string): Chunk[] {
  if (NAMES_VERSION.test(query)) return chunks
  const newest = new Map<string, { version: string | null; score: number }>()
  const copies = chunks.map((ranked) => {
    const copy = copyOf(ranked)
    const known = newest.get(copy.key)
    if (!known || isOlderThan(known.version, copy.version))
      newest.set(copy.key, { version: copy.version, score: ranked.score })
    return copy
  })
  let isLowered = false
  const lowered = chunks.map((ranked, at) => {
    const copy = copies[at]
    const best = copy && newest.get(copy.key)
    if (!best || !isOlderThan(copy.version, best.version) || ranked.score < best.score) return ranked
    isLowered = true
    return { ...ranked, score: best.score * BELOW }
  })
  return isLowered ? lowered.toSorted((a, b) => b.score - a.score) : chunks
}

/** The address of a page without its version, which its copies share. Each version is often a source. */
function copyOf({ part: { segment }, page }: RankedChunk): { key: string; version: string | null } {
  const url = segment.url(page).toLowerCase()
  const inUrl = versionInUrl(url)
  const key = inUrl === null ? url : url.replace(`/${inUrl}`, '')
  return { key, version: inUrl ?? segment.toldVersion(page) }
}
