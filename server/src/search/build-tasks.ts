import { zstdDecompressSync } from 'node:zlib'
import { decodeOutline } from './outline.ts'
import type { IndexPage } from './page.ts'
import { anchorChecksum } from './segment/anchor-checksum.ts'
import { mergeSegments } from './segment/merge-segments.ts'
import { openSegment, type Segment } from './segment/open-segment.ts'
import { makeVectors } from './vectors/make-vectors.ts'
import { SegmentBuilder } from './segment/segment-builder.ts'

/** A page with its Markdown, as text or in UTF-8 under zstd. */
export type PageToBuild = { page: IndexPage; markdown: string | Uint8Array }

/** A page as it is kept: what others call it is not known yet. */
export type StoredPage = Pick<IndexPage, 'url' | 'title' | 'textHash'> & { markdown: Uint8Array; outline: Uint8Array }

/** A page that stays: the copy with this text, found by the texts of these links to it. */
export type PageToKeep = { url: string; textHash: string; anchorTexts?: readonly string[] }

/** What the worker is asked for. `keep` null keeps all pages. */
export type BuildTask =
  | { kind: 'build'; pages: readonly (PageToBuild | StoredPage)[] }
  | { kind: 'merge'; segments: readonly Uint8Array[]; keep: readonly PageToKeep[] | null }

/**
 * A segment's bytes, or null for a merge that changes nothing: of one segment, of which everything stays, and which has
 * its vectors. Vectors are made by merging only, since all pages of a source have to be known for them.
 */
export function runBuildTask(task: BuildTask): Uint8Array<ArrayBuffer> | null {
  return task.kind === 'build' ? buildSegment(task.pages) : mergeKept(task.segments, task.keep)
}

function buildSegment(pages: readonly (PageToBuild | StoredPage)[]): Uint8Array<ArrayBuffer> {
  const builder = new SegmentBuilder()
  for (const given of pages) {
    const { markdown } = given
    const page = 'page' in given ? given.page : { ...given, ...decodeOutline(given.outline), anchorTexts: [] }
    builder.add(page, typeof markdown === 'string' ? markdown : zstdDecompressSync(markdown).toString())
  }
  return builder.finish()
}

/** Of a page that several segments hold, the last one's copy stays. */
function mergeKept(given: readonly Uint8Array[], keep: readonly PageToKeep[] | null): Uint8Array<ArrayBuffer> | null {
  const segments = given.map(openSegment)
  const wanted = keep === null ? null : new Map(keep.map((page) => [page.url, page]))
  const taken = new Set<string>()
  const kept = new Map<Segment, Uint8Array>()
  let changes = 0
  /** Null where they are those that the page was indexed with. */
  const newAnchors = (segment: Segment, page: number) => {
    const texts = wanted?.get(segment.url(page))?.anchorTexts
    return texts && anchorChecksum(texts) !== (segment.anchorChecksums[page] ?? 0) ? texts : null
  }
  for (const segment of segments.toReversed()) {
    const flags = new Uint8Array(segment.pageCount)
    for (let page = 0; page < segment.pageCount; page++) {
      const { url, textHash } = segment.record(page)
      const stays = !taken.has(url) && (wanted === null || wanted.get(url)?.textHash === textHash)
      if (stays) {
        taken.add(url)
        flags[page] = 1
        if (newAnchors(segment, page) !== null) changes++
      } else changes++
    }
    kept.set(segment, flags)
  }
  const [only] = segments
  const [bytes] = given
  if (only !== undefined && bytes !== undefined && segments.length === 1 && changes === 0)
    return only.vectors === null ? makeVectors(bytes) : null
  const merged = mergeSegments(segments, {
    keep: (segment, page) => kept.get(segment)?.[page] === 1,
    anchorTexts: newAnchors,
  })
  return makeVectors(merged) ?? merged
}
