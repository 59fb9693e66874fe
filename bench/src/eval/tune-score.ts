import type { RankFeatures } from '@docent/server/search/rank/fuse.ts'
import { createRanker } from '@docent/server/search/rank/rank.ts'
import { openSegment } from '@docent/server/search/segment/open-segment.ts'
import type { FusionWeights, Weights } from '@docent/server/search/weights.ts'
import type { EvalIndex } from './eval-index.ts'
import { ndcg10 } from './eval-metrics.ts'
import type { EvalSet } from './eval-set.ts'

export type TuningSet = { set: EvalSet; index: EvalIndex }

/** Candidates for one question: for each document, the ranking features of its passages. */
type Question = { grades: ReadonlyMap<string, number>; documents: { id: string; passages: RankFeatures[] }[] }

/** Number of pages per question to keep features for. */
const DEPTH = 100

/** Questions by set. */
export type SetFeatures = Question[][]

/** Ranks every question and keeps the features of all candidates. */
export function rankFeatures(sets: readonly TuningSet[], weights: Weights): SetFeatures {
  const rank = createRanker(weights)
  return sets.map(({ set, index }) => {
    const parts = index.sources.map(({ id, segment }) => ({
      segment: openSegment(segment),
      sourceId: id,
      type: 'docs' as const,
    }))
    return set.queries.flatMap(({ _id, text, docset }) => {
      const grades = set.grades.get(_id)
      if (grades === undefined || ![...grades.values()].some((grade) => grade > 0)) return []
      const asked = parts.filter(({ sourceId }) => docset === undefined || sourceId === docset)
      const documents = new Map<string, RankFeatures[]>()
      for (const { part, page, features } of rank(asked, { query: text }, DEPTH).chunks) {
        const url = part.segment.url(page)
        const id = index.documents.get(url) ?? url
        documents.set(id, [...(documents.get(id) ?? []), features])
      }
      return [{ grades, documents: [...documents].map(([id, passages]) => ({ id, passages })) }]
    })
  })
}

/** Mean nDCG@10 of each set after a new ranking. */
export function scoreRankings(sets: readonly TuningSet[], weights: Weights): number[] {
  return scoreFeatures(rankFeatures(sets, weights), weights.fusion)
}

/** Mean nDCG@10 of each set with its candidates re-sorted by other weights. */
export function scoreFeatures(sets: SetFeatures, weights: FusionWeights): number[] {
  const names = Object.keys(weights) as (keyof FusionWeights)[]
  const weigh = (features: RankFeatures) => names.reduce((sum, name) => sum + weights[name] * features[name], 0)
  return sets.map((questions) =>
    mean(
      questions.map(({ grades, documents }) => {
        const scored = documents.map(({ id, passages }) => ({ id, score: Math.max(...passages.map(weigh)) }))
        scored.sort((a, b) => b.score - a.score)
        return ndcg10(
          grades,
          scored.map(({ id }) => id),
        )
      }),
    ),
  )
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}
