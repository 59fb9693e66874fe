import { joinHeadings } from '#documents/model/sections.ts'
import { sectionAddress } from '#lib/addresses/page-address.ts'
import type { SourceType } from '@docent/contract/values/sources'
import {
  choosePassages,
  describeChunk,
  isNearDuplicate,
  isOfSameSection,
  DEFAULT_BUDGET,
  packPassages,
  textOfChunk,
} from './pack-passages.ts'
import type { PassagePlace, SearchRequest, SearchResult } from './passage.ts'
import type { SourceSegment } from './rank/corpus.ts'
import type { PinNote } from './apply-pins.ts'
import type { RankedChunk } from './rank/fuse.ts'
import type { RuleNote } from './rules/active-rules.ts'
import type { WeighedChunk } from './rules/weigh-passages.ts'
import { type Retriever, type Searched, SPARE } from './retrieve.ts'

/** A call of the log, to be repeated. */
export type RecordedCall = { tool: string; arguments: string; error: string | null }

/** What a call gives: the passages of its searches, and its answer with the places that this cites. */
export type PreviewedAnswer = {
  found: PassagePlace[]
  text: string
  confidence: string | null
  cited: Omit<PassagePlace, 'sourceId'>[]
}
/** A call before and after a change of rules or pins. Null if it cannot be repeated. */
export type CallPreview = { before: PreviewedAnswer; after: PreviewedAnswer } | null

export type PassageOutcome =
  | 'shown'
  | 'passed_over'
  | 'over_limit'
  | 'over_budget'
  | 'same_section'
  | 'near_duplicate'
  | 'superseded'
  | 'not_chosen'
  | 'text_gone'

export type Candidate = PassagePlace & {
  place: number
  score: number
  features: RankedChunk['features']
  /** Product of the weights of rules. */
  ruleFactor: number
  outcome: PassageOutcome
}

/** A search with a record of how its result came about. */
export type Explanation = Pick<SearchResult, 'words' | 'repaired' | 'agreement' | 'embeddings'> & {
  request: SearchRequest
  sources: { sourceId: string; type: SourceType; passages: number }[]
  candidates: Candidate[]
  rules: RuleNote[]
  pins: PinNote[]
}

/** Maximum candidates in an explanation. Lower-ranked ones had no effect on the result. */
const MOST_CANDIDATES = 60

/** Repeats a search like `retrieve`, and records the outcome of each ranked passage. */
export async function explainSearch(
  { rank, texts, parts, withPins }: Pick<Retriever, 'rank' | 'texts' | 'parts' | 'withPins'>,
  server: Searched,
  request: SearchRequest,
): Promise<{ result: SearchResult; explanation: Explanation }> {
  const { limit, offset = 0, budget = DEFAULT_BUDGET } = request
  const wanted = offset + limit + SPARE
  const { chunks, rules, searched, mostOf, pins, ...ranking } = await rank(server, request, wanted)
  const { repaired, words, agreement, embeddings } = ranking
  const chosen = choosePassages(chunks, wanted, mostOf)
  const toPack = chosen.slice(offset).map(describeChunk)
  const found = await texts(toPack.map(textOfChunk))
  const packed = packPassages({ chunks: toPack, count: toPack.length, texts: found, limit, offset, budget, request })
  const choice: Choice = {
    chunks,
    chosen,
    places: new Map(chosen.map((ranked, index) => [keyOf(ranked), index + 1])),
    offset,
    shown: new Set(packed.passages.map(({ rank: place }) => place)),
    isFull: packed.passages.length >= limit,
    hasText: (textHash) => found.has(textHash),
  }
  const candidates = chunks.slice(0, MOST_CANDIDATES).map((ranked, index) => candidateOf(ranked, index + 1, choice))
  const opened = await parts(server, request)
  const sources = countPassages(opened.filter(({ sourceId }) => searched.has(sourceId)))
  return {
    result: { ...packed, repaired, words, agreement, embeddings, ...(await withPins(pins, packed.passages)) },
    explanation: {
      request,
      words,
      repaired,
      agreement,
      embeddings,
      sources,
      candidates,
      rules,
      pins: pins?.notes ?? [],
    },
  }
}

/** How a search chose from the ranked passages. Places begin at 1. */
type Choice = {
  chunks: readonly RankedChunk[]
  chosen: readonly RankedChunk[]
  /** Place of each chosen passage, by `keyOf`. */
  places: ReadonlyMap<number, number>
  offset: number
  /** Places of the passages in the result. */
  shown: ReadonlySet<number>
  isFull: boolean
  hasText: (textHash: string) => boolean
}

function candidateOf(ranked: WeighedChunk, place: number, choice: Choice): Candidate {
  const { title, url, textHash, chunk } = ranked.part.segment.passage(ranked.page, ranked.chunk)
  return {
    place,
    title,
    heading: joinHeadings(chunk.headings),
    url: sectionAddress(url, chunk.anchor),
    sourceId: ranked.part.sourceId,
    score: ranked.score,
    features: ranked.features,
    ruleFactor: ranked.ruleFactor ?? 1,
    outcome: outcomeOf(ranked, textHash, choice),
  }
}

function outcomeOf(ranked: RankedChunk, textHash: string, choice: Choice): PassageOutcome {
  const place = choice.places.get(keyOf(ranked))
  if (place === undefined) {
    if (isSuperseded(ranked, choice.chunks)) return 'superseded'
    if (choice.chosen.some((other) => isOfSameSection(ranked, other))) return 'same_section'
    return choice.chosen.some((other) => isNearDuplicate(ranked, other)) ? 'near_duplicate' : 'not_chosen'
  }
  if (place <= choice.offset) return 'passed_over'
  if (choice.shown.has(place)) return 'shown'
  if (!choice.hasText(textHash)) return 'text_gone'
  return choice.isFull ? 'over_limit' : 'over_budget'
}

function countPassages(searched: readonly SourceSegment[]): Explanation['sources'] {
  return [...Map.groupBy(searched, ({ sourceId }) => sourceId)].flatMap(([sourceId, own]) => {
    const [first] = own
    const passages = own.reduce((sum, { segment }) => sum + segment.chunkCount, 0)
    return first ? [{ sourceId, type: first.type, passages }] : []
  })
}

function keyOf({ part, chunk }: RankedChunk): number {
  return part.firstChunk + chunk
}

/** True for a page replaced by a newer segment, which happens during reindexing. */
function isSuperseded({ part, page }: RankedChunk, chunks: readonly RankedChunk[]): boolean {
  const url = part.segment.url(page)
  return chunks.some(
    (other) =>
      other.part.sourceId === part.sourceId &&
      other.part.firstPage > part.firstPage &&
      other.part.segment.url(other.page) === url,
  )
}
