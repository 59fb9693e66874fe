import { sectionAddress } from '#lib/page-address.ts'
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
export type OpenPage = LibraryPage & { markdown: string; sections: readonly NamedSection[] }

/** A section with the keys of what its heading names (`search/catalogue/name-key.ts`). */
export type NamedSection = Section & { keys: readonly string[] }

/** Whether a page is a part of an API's description, as an operation or a schema, whatever kind of source that is in. */
export function isOfApi({ type, url }: Pick<LibraryPage, 'type' | 'url'>): boolean {
  return type === 'api' || /[?&]docent-(?:operation|webhook|schema|type|directive|problem)=/.test(url)
}

/** Passages of a page, as the index has them. */
export function chunksOf({ part, page }: LibraryPage): readonly Chunk[] {
  return part.segment.record(page).chunks
}

/** Passages whose anchors tell whether those of a page are usual. */
const LOOKED_AT = 8

/**
 * The address that leads nearest to a section of a page. The index has the anchors of the headings that passages begin
 * with; another one has the usual anchor where the page's others are usual.
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
  const above = nearest.above?.find((each) => each.start === start)
  if (above !== undefined) return sectionAddress(url, above.anchor)
  const isOwn = nearest.start === start || nearest.headings.at(-1) === heading
  // The headings of a passage leave out the page's title, which has an anchor as well.
  const isUsual = chunks
    .slice(0, LOOKED_AT)
    .some(({ anchor, headings }) => anchor !== null && anchor === usualAnchor([page.title, ...headings]))
  // What is usual among headings in words is not among signatures.
  const usual = isUsual && !SIGNATURE.test(heading) ? usualAnchor([heading]) : null
  return sectionAddress(url, isOwn ? nearest.anchor : (usual ?? nearest.anchor))
}

/** `subprocess.run(args)` and `class subprocess.run(args)`. */
const SIGNATURE = /^(?:[a-z]+ )?[\w.]+\(.*\)/

/** Headings above a section, outermost first, itself included, the page's title left out. */
export function headingPath({ sections, title }: OpenPage, section: Section): string {
  const path: string[] = []
  for (const each of sections) {
    if (each.start > section.start) break
    if (each.close > section.start && each.level > 0) path.push(each.heading)
  }
  if (path[0] !== undefined && isTitle(path[0], title)) path.shift()
  return path.join(' › ')
}

/** As the passages of a page leave it out (`ingest/chunk/heading-path.ts`): what it is for, or what it is, may stand behind. */
function isTitle(heading: string, title: string): boolean {
  const name = title.replace(/\s—\s.*$/s, '')
  return heading === title || heading === name || (name !== '' && heading.startsWith(`${name} `))
}

/** The address of a page as a whole; a part of an API description is cited where it stands in that. */
export function pageAddress(page: LibraryPage): string {
  const anchor = page.type === 'api' ? chunksOf(page)[0]?.anchor : null
  return sectionAddress(page.url, anchor ?? null)
}
