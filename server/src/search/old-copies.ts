import { isOlderThan, versionInUrl } from './catalogue/page-version.ts'
import { pageOf, type RankedChunk } from './rank/fuse.ts'

/** A question that names a version, or asks for an older one. */
const NAMES_VERSION = /\bv?\d+\.(?:\d|x\b)|\bv\d|\bversions?\b|\b(?:legacy|old|older|previous)\b/i

/** Just below the newer copy. */
const BELOW = 0.999

/** Moves passages of old copies of a page below those of its newest copy among them, unless the query names a version. */
export function lowerOldCopies<Chunk extends RankedChunk>(
  chunks: Chunk[],
  query: string,
  split: SplitAddress,
): Chunk[] {
  if (NAMES_VERSION.test(query)) return chunks
  const copies = new Map<number, Copy>()
  const newest = new Map<string, { version: string | null; score: number }>()
  for (const ranked of chunks) {
    const page = pageOf(ranked)
    if (copies.has(page)) continue
    const copy = copyOf(ranked, split)
    copies.set(page, copy)
    const known = newest.get(copy.key)
    if (!known || isOlderThan(known.version, copy.version))
      newest.set(copy.key, { version: copy.version, score: ranked.score })
  }
  if (newest.size === copies.size) return chunks
  let isLowered = false
  const lowered = chunks.map((ranked) => {
    const copy = copies.get(pageOf(ranked))
    const best = copy && newest.get(copy.key)
    if (!best || !isOlderThan(copy.version, best.version) || ranked.score < best.score) return ranked
    isLowered = true
    return { ...ranked, score: best.score * BELOW }
  })
  return isLowered ? lowered.toSorted((a, b) => b.score - a.score) : chunks
}

/** The address of a page without its version, which its copies share. Each version is often a source. */
type Copy = { key: string; version: string | null }
type SplitAddress = (url: string) => Copy

/** Addresses of pages, about 250 bytes each. Taking one apart takes a microsecond, and a search does so for some twenty. */
const ADDRESSES = 4_000

/** Takes addresses apart, and remembers recent ones. */
export function createAddressSplitter(): SplitAddress {
  const known = new Map<string, Copy>()
  return (url) => {
    let copy = known.get(url)
    if (copy === undefined) {
      const lower = url.toLowerCase()
      const version = versionInUrl(lower)
      copy = { key: version === null ? lower : lower.replace(`/${version}`, ''), version }
      if (known.size >= ADDRESSES) known.clear()
      known.set(url, copy)
    }
    return copy
  }
}

function copyOf({ part: { segment }, page, head }: RankedChunk, split: SplitAddress): Copy {
  const { key, version } = split(head?.url ?? segment.url(page))
  return { key, version: version ?? segment.toldVersion(page) }
}
