import { nameHash } from '#documents/model/name-key.ts'
import { joinHeadings } from '#documents/model/sections.ts'
import { sectionAddress, withoutSection } from '#lib/addresses/page-address.ts'
import { memoizeByObject } from '#lib/objects.ts'
import { type CatalogueOf, placesUnder, urlKey } from '#search/catalogue/catalogue.ts'
import type { Chunk } from '#search/page.ts'
import type { SourceSegment } from '#search/rank/corpus.ts'
import type { PageRecord } from '#search/segment/page-record.ts'
import { createQuestionKeys } from './question-key.ts'

/** What an owner decided about a section for some questions: to show it first, or never. */
export type SearchPin = {
  id: string
  effect: 'first' | 'never'
  questions: readonly string[]
  sourceId: string
  /** Address of the section. Without a fragment, the heading tells which section of the page it is. */
  url: string
  /** Headings of the section as citations show them. Empty: the beginning of the page. */
  heading: string
}

/** Creates the look-up of pins by question. Compares the questions of each list of pins once. */
export function createPinLookup(): (pins: readonly SearchPin[], question: string) => readonly SearchPin[] {
  const keyOf = createQuestionKeys()
  const byKeyOf = memoizeByObject((pins: readonly SearchPin[]) => {
    const byKey = new Map<string, SearchPin[]>()
    for (const pin of pins)
      for (const key of new Set(pin.questions.map(keyOf))) byKey.set(key, [...(byKey.get(key) ?? []), pin])
    return byKey
  })
  return (pins, question) => byKeyOf(pins).get(keyOf(question)) ?? []
}

/** A section of an indexed page: its chunks from `from` to `to`, exclusive, numbered within the page. */
export type PlacedSection = { part: SourceSegment; page: number; record: PageRecord; from: number; to: number }

/** `heading` is null if the address alone tells the section. */
export type SectionAddress = { sourceId?: string; url: string; heading: string | null }

/** Finds a section by its address in the segments that have its page, in their order. Empty: it is gone. */
export async function findSection(
  parts: readonly SourceSegment[],
  { sourceId, url, heading }: SectionAddress,
  catalogueOf: CatalogueOf,
): Promise<PlacedSection[]> {
  const key = urlKey(url)
  const hash = nameHash(key)
  const found: PlacedSection[] = []
  for (const part of parts) {
    const { segment } = part
    if (sourceId !== undefined && part.sourceId !== sourceId) continue
    for (const chunk of placesUnder((await catalogueOf(segment)).names, hash)) {
      const page = segment.chunkPages[chunk]
      if (urlKey(segment.url(page)) !== key) continue
      const record = segment.record(page)
      const span = spanOfSection(record, { fragment: fragmentOf(url), heading })
      if (span !== null) found.push({ part, page, record, ...span })
    }
  }
  return found
}

/** What the address of a section adds to that of its page. */
const fragmentOf = (url: string): string => url.slice(withoutSection(url).length)

function spanOfSection(
  { url, chunks }: PageRecord,
  { fragment, heading }: { fragment: string; heading: string | null },
): { from: number; to: number } | null {
  const hasAnchor = (anchor: string | null) => fragmentOf(sectionAddress(url, anchor)) === fragment
  const isHere = ({ anchor }: Chunk) => hasAnchor(anchor)
  const isInside = ({ turns = [], blocks }: Chunk) =>
    turns.some(({ anchor }) => hasAnchor(anchor)) ||
    blocks.some((block) => block.kind === 'heading' && block.anchor !== null && hasAnchor(block.anchor))
  const isHeaded = ({ headings }: Chunk) => joinHeadings(headings) === heading
  const last = heading?.split(' › ').at(-1)
  const hasLast = ({ headings }: Chunk) => (headings.at(-1) ?? '') === last
  // Headings without an anchor have that of the heading above, so the address alone could be another section.
  const tests: ((chunk: Chunk) => boolean)[] =
    heading === null
      ? [isHere, isInside, () => fragment === '']
      : [(chunk) => isHere(chunk) && isHeaded(chunk), (chunk) => isHere(chunk) && hasLast(chunk), isHeaded]
  const at = tests.map((test) => chunks.findIndex(test)).find((place) => place >= 0)
  return at === undefined ? null : runAround(chunks, at)
}

/** The neighbouring chunks of one section. */
function runAround(chunks: readonly Chunk[], at: number): { from: number; to: number } | null {
  const section = chunks[at]
  if (section === undefined) return null
  const heading = joinHeadings(section.headings)
  const isSame = ({ anchor, headings }: Chunk) =>
    joinHeadings(headings) === heading && (anchor === section.anchor || (heading !== '' && isPdfPage(anchor)))
  const next = chunks.findIndex((chunk, place) => place > at && !isSame(chunk))
  const before = chunks.findLastIndex((chunk, place) => place < at && !isSame(chunk))
  return { from: before + 1, to: next < 0 ? chunks.length : next }
}

/** A section of a PDF can go on over pages, each of which has an anchor. */
const isPdfPage = (anchor: string | null): boolean => anchor?.startsWith('page=') === true
