import { sourceKind } from '@docent/contract/values/source-kinds'
import type { SourceType } from '@docent/contract/values/sources'
import { sectionAddress } from '#lib/addresses/page-address.ts'
import type { SourceSegment } from '#search/rank/corpus.ts'
import { joinedBlocks } from '#documents/model/clip-blocks.ts'
import type { Block } from '#documents/model/document.ts'
import { type Chunk, headingsAbove } from '#search/page.ts'
import { usualAnchor } from '#search/segment/usual-anchor.ts'
import type { Section } from './sections.ts'

/** A page of a server's sources, without its text. */
export type LibraryPage = {
  sourceId: string
  type: SourceType
  /** Absolute URL without fragment. */
  url: string
  title: string
  textHash: string
  /** Location of the page in the index. */
  part: SourceSegment
  page: number
}

/** A page with its text and sections. */
export type OpenPage = LibraryPage & { markdown: string; sections: readonly NamedSection[] }

/** A section with the keys of the names in its heading (`search/catalogue/name-key.ts`). */
export type NamedSection = Section & { keys: readonly string[] }

/** True if a page comes from an API description, such as an operation or a schema, in any type of source. */
export function isOfApi({ type, url }: Pick<LibraryPage, 'type' | 'url'>): boolean {
  return sourceKind(type).describesApi || /[?&]docent-(?:operation|webhook|schema|type|directive|problem)=/.test(url)
}

/** Indexed chunks of a page. */
export function chunksOf({ part, page }: LibraryPage): readonly Chunk[] {
  return part.segment.record(page).chunks
}

/** Blocks of a page. */
export function blocksOf(page: LibraryPage): Block[] {
  return joinedBlocks(chunksOf(page).flatMap(({ blocks }) => blocks))
}

/**
 * Addresses of the text of a page from one offset to another, each with the offset from which it applies. The first one
 * applies at `from`.
 */
export function addressesBetween(page: LibraryPage, from: number, to: number): { start: number; url: string }[] {
  const marks = chunksOf(page).flatMap(({ start, anchor, turns = [] }) => [{ start, anchor }, ...turns])
  const first = marks.findLastIndex(({ start }) => start <= from)
  return marks
    .slice(Math.max(0, first))
    .filter(({ start }) => start < to)
    .map(({ start, anchor }) => ({ start, url: sectionAddress(page.url, anchor) }))
}

/** Number of chunks sampled to decide if a page uses the usual anchors. */
const LOOKED_AT = 8

/**
 * The most precise URL for a section. The index has the anchors of headings that begin a chunk. Any other heading gets
 * the usual anchor, if the page's other anchors follow that scheme.
 */
export function addressAt(page: OpenPage, { start, heading, level }: Section): string {
  const { url } = page
  const chunks = chunksOf(page)
  let nearest: Chunk | undefined
  for (const chunk of chunks) {
    if (chunk.start > start) break
    nearest = chunk
  }
  if (level === 0 || nearest === undefined) return url
  const turn = nearest.turns?.findLast((each) => each.start <= start)
  if (turn !== undefined) return sectionAddress(url, turn.anchor)
  const above = headingsAbove(nearest.blocks).find((each) => each.start === start)
  if (above !== undefined) return sectionAddress(url, above.anchor)
  const isOwn = nearest.start === start || nearest.headings.at(-1) === heading
  // Headings of a chunk omit the page title, but the title has an anchor too.
  const isUsual = chunks
    .slice(0, LOOKED_AT)
    .some(({ anchor, headings }) => anchor !== null && anchor === usualAnchor([page.title, ...headings]))
  // Signatures often have other anchors than the prose headings of the same page.
  const usual = isUsual && !SIGNATURE.test(heading) ? usualAnchor([heading]) : null
  return sectionAddress(url, isOwn ? nearest.anchor : (usual ?? nearest.anchor))
}

/** The most precise URL for the text at an offset in a section. In a PDF it can be on a later page than the heading. */
export function addressOfText(page: OpenPage, section: Section, at: number): string {
  const isPdf = chunksOf(page)[0]?.anchor?.startsWith('page=') ?? false
  const [own] = isPdf ? addressesBetween(page, at, at + 1) : []
  return own?.url ?? addressAt(page, section)
}

/** `subprocess.run(args)` and `class subprocess.run(args)`. */
const SIGNATURE = /^(?:[a-z]+ )?[\w.]+\(.*\)/

/** Headings above a section and its own, outermost first, without the page title. */
export function headingPath({ sections, title }: OpenPage, section: Section): string {
  const path: string[] = []
  for (const each of sections) {
    if (each.start > section.start) break
    if (each.close > section.start && each.level > 0) path.push(each.heading)
  }
  if (path[0] !== undefined && isTitle(path[0], title)) path.shift()
  return path.join(' › ')
}

/** Same rule as in `chunk/heading-path.ts`: the title may have a suffix with its purpose or kind. */
function isTitle(heading: string, title: string): boolean {
  const name = title.replace(/\s—\s.*$/s, '')
  return heading === title || heading === name || (name !== '' && heading.startsWith(`${name} `))
}

/** Page URL without fragment. Parts of an API description keep theirs, because the description is one document. */
export function pageAddress(page: LibraryPage): string {
  const anchor = isOfApi(page) ? chunksOf(page)[0]?.anchor : null
  return sectionAddress(page.url, anchor ?? null)
}
