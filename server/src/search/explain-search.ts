import { sectionAddress } from '#lib/addresses/page-address.ts'
import type { SourceType } from '@docent/contract/sources'
import { choosePassages, isNearDuplicate } from './choose-passages.ts'
import { DEFAULT_BUDGET, packPassages } from './pack-passages.ts'
import type { SearchRequest, SearchResult } from './passage.ts'
import type { RankedChunk } from './rank/fuse.ts'
import { type Retriever, type Searched, SPARE } from './retrieve.ts'

/** Outcome of a ranked passage. */
export type PassageOutcome =
  | 'shown'
  | 'passed_over'
  | 'over_limit'
  | 'over_budget'
  | 'near_duplicate'
  | 'superseded'
  | 'not_chosen'
  | 'text_gone'

export type Candidate = {
  place: number
  title: string
  heading: string
  url: string
  sourceId: string
  score: number
  features: RankedChunk['features']
  outcome: PassageOutcome
}

/** A search with a record of how its result came about. */
export type Explanation = {
  request: SearchRequest
  words: SearchResult['words']
  repaired: SearchResult['repaired']
  agreement: number
  embeddings: SearchResult['embeddings']
  sources: { sourceId: string; type: SourceType; passages: number }[]
  candidates: Candidate[]
}

/** Maximum candidates in an explanation. Lower-ranked ones had no effect on the result. */
const MOST_CANDIDATES = 60

/** Repeats a search like `retrieve`, and records the outcome of each ranked passage. */
export async function explainSearch(
  { rank, texts, parts }: Pick<Retriever, 'rank' | 'texts' | 'parts'>,
  server: Searched,
  request: SearchRequest,
): Promise<{ result: SearchResult; explanation: Explanation }> {
  const { limit, offset = 0, budget = DEFAULT_BUDGET } = request
  const wanted = offset + limit + SPARE
  const { chunks, repaired, words, agreement, embeddings } = await rank(server, request, wanted)
  const chosen = choosePassages(chunks, wanted)
  const toPack = chosen
    .slice(offset)
    .map((ranked) => ({ ranked, record: ranked.part.segment.passage(ranked.page, ranked.chunk) }))
  const found = await texts(
    toPack.map(({ ranked, record }) => ({ sourceId: ranked.part.sourceId, textHash: record.textHash })),
  )
  const packed = packPassages({ chunks: toPack, count: toPack.length, texts: found, limit, offset, budget })
  const shown = new Set(packed.passages.map(({ rank: place }) => place))
  const isFull = packed.passages.length >= limit
  const places = new Map(chosen.map((ranked, index) => [keyOf(ranked), index + 1]))

  const outcomeOf = (ranked: RankedChunk, textHash: string): PassageOutcome => {
    const place = places.get(keyOf(ranked))
    if (place === undefined) {
      if (isSuperseded(ranked, chunks)) return 'superseded'
      return chosen.some((other) => isNearDuplicate(ranked, other)) ? 'near_duplicate' : 'not_chosen'
    }
    if (place <= offset) return 'passed_over'
    if (shown.has(place)) return 'shown'
    if (!found.has(textHash)) return 'text_gone'
    return isFull ? 'over_limit' : 'over_budget'
  }

  const candidates = chunks.slice(0, MOST_CANDIDATES).map((ranked, index): Candidate => {
    const { title, url, textHash, chunk } = ranked.part.segment.passage(ranked.page, ranked.chunk)
    return {
      place: index + 1,
      title,
      heading: chunk.headings.join(' › '),
      url: sectionAddress(url, chunk.anchor),
      sourceId: ranked.part.sourceId,
      score: ranked.score,
      features: ranked.features,
      outcome: outcomeOf(ranked, textHash),
    }
  })
  const searched = await parts(server, request)
  const sources = Map.groupBy(searched, ({ sourceId }) => sourceId)
  return {
    result: { ...packed, repaired, words, agreement, embeddings },
    explanation: {
      request,
      words,
      repaired,
      agreement,
      embeddings,
      sources: [...sources].flatMap(([sourceId, own]) => {
        const [first] = own
        const passages = own.reduce((sum, { segment }) => sum + segment.chunkCount, 0)
        return first ? [{ sourceId, type: first.type, passages }] : []
      }),
      candidates,
    },
  }
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
