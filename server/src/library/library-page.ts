import type { SourceType } from '@docent/contract/sources'
import type { SourceSegment } from '#search/rank/corpus.ts'
import type { Chunk } from '#search/page.ts'
import { usualAnchor } from '#search/segment/usual-anchor.ts'
import type { Section } from './sections.ts'

/** A page of a server's sources, as it is found. */
export type LibraryPage = {
  sourceId: string
  type: SourceType
  /** Absolute, without fragment. */
  url: string
  title: string
  textHash: string
  /** Where it is in the index. */
  part: SourceSegment
  page: number
}

/** A page with its text. */
export type OpenPage = LibraryPage & { markdown: string; sections: readonly Section[]; chunks: readonly Chunk[] }

/**
 * The address that leads nearest to an offset of a page's text. The index has the anchors of the places where passages
 * begin; a heading between them has the usual one where the page's others are usual.
 */
export function addressAt({ url, chunks }: OpenPage, { start, heading, level }: Section): string {
  let nearest: Chunk | undefined
  for (const chunk of chunks) {
    if (chunk.start > start) break
    nearest = chunk
  }
  if (level === 0 || nearest === undefined) return url
  const isOwn = nearest.start === start || nearest.headings.at(-1) === heading
  const isUsual = chunks.some(({ anchor, headings }) => headings.length > 0 && anchor === usualAnchor(headings))
  const anchor = isOwn || !isUsual ? nearest.anchor : usualAnchor([heading])
  return anchor === null || anchor === '' ? url : `${url}#${anchor}`
}

/** Headings above a section, outermost first, itself included, the page's title left out. */
export function headingPath({ sections, title }: OpenPage, section: Section): string {
  const path: string[] = []
  for (const each of sections) {
    if (each.start > section.start) break
    if (each.close > section.start && each.level > 0) path.push(each.heading)
  }
  if (path[0] === title) path.shift()
  return path.join(' › ')
}
