import { elementAt } from '#lib/arrays.ts'
import { joinedBlocks, joinHeadings } from '#documents/model/sections.ts'
import { sectionAddress } from '#lib/addresses/page-address.ts'
import { cutPassage } from './pack-passages.ts'
import { passageOfChunk, type PinnedPassage, type SearchRequest } from './passage.ts'
import type { CatalogueOf } from './catalogue/catalogue.ts'
import type { SourceSegment } from './rank/corpus.ts'
import type { RankedChunk } from './rank/fuse.ts'
import { pageMasks, pathMatcher, type PathsOf } from './rank/page-filter.ts'
import { agreementOf, type Ranking } from './rank/rank.ts'
import { findSection, type PlacedSection, type SearchPin } from './rules/pinned-sections.ts'
import type { Segment, WantedText } from './segment/open-segment.ts'

/** What became of a pin in a search. `stale`: its section is gone. `filtered`: the request does not ask for its page. */
export type PinNote = Pick<SearchPin, 'effect' | 'url' | 'heading'> & {
  pinId: string
  outcome: 'applied' | 'stale' | 'filtered'
}

/** A section by its address and headings. */
type Place = { url: string; heading: string }

/** The pins of a question in one search. */
export type ActivePins = {
  /** Sections to show first, in order. */
  first: PlacedSection[]
  /** Sections that are left out. */
  excluded: Place[]
  /** Leaves them out of a ranking. */
  leaveOut(ranking: Ranking): Ranking
  notes: PinNote[]
}

type Searching = { request: SearchRequest; parts: readonly SourceSegment[]; catalogueOf: CatalogueOf; pathsOf: PathsOf }

/** Finds the sections of a question's pins. `parts` are the segments in the scope of the request, whatever rules say. */
export async function placePins(pins: readonly SearchPin[], searching: Searching): Promise<ActivePins> {
  const active = { first: [] as PlacedSection[], excluded: [] as Place[], notes: [] as PinNote[] }
  const gone = new Map<Segment, Set<number>>()
  for (const pin of newestOf(pins)) {
    const { id: pinId, effect, url, heading, sourceId } = pin
    const places = await findSection(searching.parts, pin, searching.catalogueOf)
    const newest = places.at(-1)
    const isAsked = newest !== undefined && (effect === 'never' || (await isWanted(newest, searching)))
    const isNarrow = searching.request.type !== undefined || (searching.request.sourceId ?? sourceId) !== sourceId
    const outcome = isAsked ? 'applied' : newest !== undefined || isNarrow ? 'filtered' : 'stale'
    active.notes.push({ pinId, effect, url, heading, outcome })
    if (!isAsked) continue
    if (effect === 'first') active.first.push(newest)
    else {
      active.excluded.push({ url, heading })
      for (const place of places) addChunks(gone, place)
    }
  }
  return {
    ...active,
    leaveOut(ranking) {
      if (gone.size === 0) return ranking
      const chunks = ranking.chunks.filter(({ part, chunk }: RankedChunk) => !gone.get(part.segment)?.has(chunk))
      return chunks.length === ranking.chunks.length ? ranking : { ...ranking, chunks, agreement: agreementOf(chunks) }
    },
  }
}

/** The pins without those that a newer one about the same section replaces. */
function newestOf(pins: readonly SearchPin[]): SearchPin[] {
  const bySection = Map.groupBy(pins, ({ sourceId, url, heading }) => `${sourceId}\n${url}\n${heading}`)
  return [...bySection.values()].flatMap((same) => same.at(-1) ?? [])
}

/** Whether the request asks for pages such as that of the section. A search for code asks for examples, not answers. */
async function isWanted({ part, page, record: { url } }: PlacedSection, { request, catalogueOf, pathsOf }: Searching) {
  if (request.code !== undefined) return false
  if (request.path !== undefined && !pathMatcher(request.path)(url)) return false
  const masks = await pageMasks({ catalogueOf, pathsOf }, [part], request)
  return masks?.get(part.segment)?.[page] !== 0
}

function addChunks(gone: Map<Segment, Set<number>>, { part: { segment }, page, from, to }: PlacedSection): void {
  const chunks = gone.get(segment) ?? new Set()
  for (let chunk = from; chunk < to; chunk++) chunks.add(segment.pageChunks[page] + chunk)
  gone.set(segment, chunks)
}

/** Bytes of all pinned sections of a question. What is longer is cut at the end of a block. */
const MOST_BYTES = 16_000

/** The sections as passages, each whole as long as they fit together. Leaves out those whose text is gone. */
export async function pinnedPassages(
  places: readonly PlacedSection[],
  texts: (wanted: readonly WantedText[]) => Promise<Map<string, string>>,
  { score, bytes = MOST_BYTES }: { score: number; bytes?: number },
): Promise<PinnedPassage[]> {
  const wanted = places.map(({ part, record }) => ({ sourceId: part.sourceId, textHash: record.textHash }))
  const found = await texts(wanted)
  const passages: PinnedPassage[] = []
  let left = bytes
  for (const place of places) {
    const markdown = found.get(place.record.textHash)
    if (markdown === undefined || left <= 0) continue
    const passage = passageOfSection(place, markdown, { rank: passages.length + 1, score, bytes: left })
    passages.push(passage)
    left -= Buffer.byteLength(passage.passage)
  }
  return passages
}

function passageOfSection(
  { part: { sourceId, type }, record: { url, title, chunks }, from, to }: PlacedSection,
  markdown: string,
  { rank, score, bytes }: { rank: number; score: number; bytes: number },
): PinnedPassage {
  const first = elementAt(chunks, from)
  const others = chunks.slice(from + 1, to)
  const turns = [
    ...(first.turns ?? []),
    ...others.flatMap(({ start, anchor, turns: further = [] }) => [
      ...(anchor === null || anchor === first.anchor ? [] : [{ start, anchor }]),
      ...further,
    ]),
  ]
  const whole = {
    ...first,
    end: others.at(-1)?.end ?? first.end,
    blocks: joinedBlocks([first, ...others].flatMap(({ blocks }) => blocks)),
    ...(turns.length > 0 ? { turns } : {}),
  }
  const { end } = cutPassage(markdown, whole, { bytes, left: bytes })
  const passage = { rank, score, title, sourceId, type, ...passageOfChunk({ url, markdown, chunk: whole, end }) }
  return end < whole.end ? { ...passage, isCut: true } : passage
}

/** Address and headings of a section, by which a pin finds it again. */
export function placeOfSection({ record: { url, title, chunks }, from, part: { sourceId } }: PlacedSection) {
  const { headings, anchor } = elementAt(chunks, from)
  return { sourceId, title, url: sectionAddress(url, anchor), heading: joinHeadings(headings) }
}
