import { bitDistance } from './segment/simhash.ts'
import type { RankedChunk } from './rank/fuse.ts'
import type { SourceLimit } from './rules/source-limits.ts'

/** Factor for each further passage of a page, so that other pages come first. */
const SAME_PAGE = 0.6
/** Maximum Hamming distance between the 64-bit fingerprints of near-duplicates. */
const NEAR_DUPLICATE = 3

/**
 * Chooses the passages to show from a ranking. Spreads them over pages and drops near-duplicates. `mostOf` limits the
 * passages of a source.
 */
export function choosePassages(
  ranked: readonly RankedChunk[],
  count: number,
  mostOf: SourceLimit | null = null,
): RankedChunk[] {
  const perPage = new Map<number, number>()
  const spread = withoutOldCopies(ranked).map((chunk) => {
    const key = chunk.part.firstPage + chunk.page
    const before = perPage.get(key) ?? 0
    perPage.set(key, before + 1)
    return { chunk, score: chunk.score * SAME_PAGE ** before }
  })
  const chosen: RankedChunk[] = []
  const perSource = new Map<string, number>()
  for (const { chunk, score } of spread.sort((a, b) => b.score - a.score)) {
    if (chosen.length >= count) break
    const { sourceId } = chunk.part
    const before = perSource.get(sourceId) ?? 0
    if (mostOf !== null && before >= mostOf(sourceId)) continue
    if (chosen.some((other) => isNearDuplicate(chunk, other))) continue
    chosen.push(score === chunk.score ? chunk : { ...chunk, score })
    if (mostOf !== null) perSource.set(sourceId, before + 1)
  }
  return chosen
}

/** True if two passages have nearly the same text. */
export function isNearDuplicate(a: RankedChunk, b: RankedChunk): boolean {
  const left = a.part.segment.fingerprints
  const right = b.part.segment.fingerprints
  const low = bitDistance(left[a.chunk * 2], right[b.chunk * 2])
  return low <= NEAR_DUPLICATE && low + bitDistance(left[a.chunk * 2 + 1], right[b.chunk * 2 + 1]) <= NEAR_DUPLICATE
}

/** During reindexing a changed page is in an old and a newer segment. The newer one wins. */
function withoutOldCopies(ranked: readonly RankedChunk[]): readonly RankedChunk[] {
  const [best] = ranked
  if (ranked.every(({ part }) => part === best?.part)) return ranked
  const sources = new Map<string, number>()
  for (const part of new Set(ranked.map((chunk) => chunk.part)))
    sources.set(part.sourceId, (sources.get(part.sourceId) ?? 0) + 1)
  if ([...sources.values()].every((parts) => parts === 1)) return ranked
  const newest = new Map<string, number>()
  const keyOf = ({ part, page }: RankedChunk) => `${part.sourceId} ${part.segment.url(page)}`
  for (const chunk of ranked) newest.set(keyOf(chunk), Math.max(newest.get(keyOf(chunk)) ?? 0, chunk.part.firstPage))
  return ranked.filter((chunk) => chunk.part.firstPage === newest.get(keyOf(chunk)))
}
