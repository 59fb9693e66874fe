import { isDeepStrictEqual } from 'node:util'
import { zstdDecompressSync } from 'node:zlib'
import { decodeOutline, withBlocks } from './outline.ts'
import type { IndexPage } from './page.ts'
import { anchorChecksum } from './segment/hashes.ts'
import { mergeSegments } from './segment/merge-segments.ts'
import { openSegment, type Segment } from './segment/open-segment.ts'
import { makeVectors } from './vectors/make-vectors.ts'
import { SegmentBuilder } from './segment/segment-builder.ts'

/** A page with its Markdown, as text or as zstd-compressed UTF-8. */
export type PageToBuild = { page: IndexPage; markdown: string | Uint8Array }

/** A stored page. Link texts of other pages are not known yet. */
export type StoredPage = Pick<IndexPage, 'url' | 'title' | 'textHash'> & { markdown: Uint8Array; outline: Uint8Array }

/** A page to keep: the one with this text hash, the texts of links to it, and its copies in other versions. */
export type PageToKeep = {
  url: string
  textHash: string
  anchorTexts?: readonly string[]
  copies?: readonly string[]
}

/** Tasks of the worker. `keep: null` keeps all pages. */
export type BuildTask =
  | { kind: 'build'; pages: readonly (PageToBuild | StoredPage)[] }
  | { kind: 'merge'; segments: readonly Uint8Array[]; keep: readonly PageToKeep[] | null }

/**
 * Runs a task and returns the bytes of a segment. Returns null for a merge without effect: a single segment that keeps
 * all pages and has vectors. Only merging computes vectors, because they need all pages of a source.
 */
export function runBuildTask(task: BuildTask): Uint8Array<ArrayBuffer> | null {
  return task.kind === 'build' ? buildSegment(task.pages) : mergeKept(task.segments, task.keep)
}

function buildSegment(pages: readonly (PageToBuild | StoredPage)[]): Uint8Array<ArrayBuffer> {
  const builder = new SegmentBuilder()
  for (const given of pages) {
    const { markdown } = given
    const text = typeof markdown === 'string' ? markdown : zstdDecompressSync(markdown).toString()
    if ('page' in given) builder.add(given.page, text)
    else {
      const { chunks, ...facts } = decodeOutline(given.outline)
      builder.add(
        { ...given, ...facts, chunks: withBlocks(chunks, { title: given.title, markdown: text }), anchorTexts: [] },
        text,
      )
    }
  }
  return builder.finish()
}

/** Keeps the copy of the last segment for a page found in several. */
function mergeKept(given: readonly Uint8Array[], keep: readonly PageToKeep[] | null): Uint8Array<ArrayBuffer> | null {
  const segments = given.map(openSegment)
  const wanted = keep === null ? null : new Map(keep.map((page) => [page.url, page]))
  const taken = new Set<string>()
  const kept = new Map<Segment, Uint8Array>()
  let changes = 0
  /** New link texts of a page, or null if they are the indexed ones. */
  const newAnchors = (segment: Segment, page: number) => {
    const texts = wanted?.get(segment.url(page))?.anchorTexts
    return texts && anchorChecksum(texts) !== segment.anchorChecksums[page] ? texts : null
  }
  const copies = (segment: Segment, page: number) =>
    (wanted === null ? segment.copies(page) : wanted.get(segment.url(page))?.copies) ?? []
  for (const segment of segments.toReversed()) {
    const flags = new Uint8Array(segment.pageCount)
    for (let page = 0; page < segment.pageCount; page++) {
      const { url, textHash } = segment.head(page)
      const stays = !taken.has(url) && (wanted === null || wanted.get(url)?.textHash === textHash)
      if (stays) {
        taken.add(url)
        flags[page] = 1
        if (newAnchors(segment, page) !== null || !isDeepStrictEqual(copies(segment, page), segment.copies(page)))
          changes++
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
    copies,
  })
  return makeVectors(merged) ?? merged
}
