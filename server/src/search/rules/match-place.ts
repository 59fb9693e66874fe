import type { SourceType } from '@docent/contract/values/sources'
import { pathOf } from '#search/rank/page-filter.ts'
import type { RankedChunk } from '#search/rank/fuse.ts'
import type { Segment } from '#search/segment/open-segment.ts'
import { ruleGlob, splitGlob } from './active-rules.ts'

/** Creates the test whether a passage is on the pages of a glob, and in its section if the glob has one. */
export function placeMatcher(glob: string): (ranked: RankedChunk) => boolean {
  const anchor = splitGlob(glob)[1]
  const pages = new Map<SourceType, (path: string) => boolean>()
  return ({ part: { segment, type }, page, chunk }) => {
    const matches = pages.get(type) ?? ruleGlob(glob, type)
    pages.set(type, matches)
    if (!matches(pathOf(segment.url(page)))) return false
    return anchor === null || isInSection(segment, page, { chunk, anchor })
  }
}

/** A section goes on with the passages below its heading, up to the next heading beside or above it. */
function isInSection(segment: Segment, page: number, { chunk, anchor }: { chunk: number; anchor: string }): boolean {
  const wanted = anchor.toLowerCase()
  const chunkAt = (index: number) => segment.place(page, index)
  if (chunkAt(chunk).turns?.some((turn) => turn.anchor.toLowerCase() === wanted)) return true
  let first = segment.pageChunks[page]
  while (first <= chunk && chunkAt(first).anchor?.toLowerCase() !== wanted) first++
  if (first > chunk) return false
  const { headings } = chunkAt(first)
  for (let index = first; index <= chunk; index++)
    if (headings.some((heading, level) => chunkAt(index).headings[level] !== heading)) return false
  return true
}
