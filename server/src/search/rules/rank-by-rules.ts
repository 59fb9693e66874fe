import type { PageMasks } from '#search/catalogue/page-mask.ts'
import type { SourceSegment } from '#search/rank/corpus.ts'
import type { Ranking } from '#search/rank/rank.ts'
import type { PathsOf } from '#search/rank/page-paths.ts'
import { type ActiveRules, activeRules, type RuleNote, type SearchRule } from './active-rules.ts'
import { type AddedWords, addedWords } from './added-words.ts'
import { joinMasks, restrictSearch, type RuleMasks } from './restrict-search.ts'
import { type SourceLimit, sourceLimits } from './source-limits.ts'
import { changesScores, weighPassages } from './weigh-passages.ts'

/**
 * Pages ranked when rules change scores or leave out passages: a page that a rule prefers can come from further down.
 * As many as the candidates of each list.
 */
const AT_LEAST = 24

export type RuleMemory = { masks: RuleMasks; pathsOf: PathsOf }

/** The rules of a server in one search. Null if it has none, so that such a search costs nothing more. */
export type RuledSearch = {
  /** Leaves out excluded sources and pages. `masks` are those of the request. */
  restrict(parts: readonly SourceSegment[]): SourceSegment[]
  masks(own: PageMasks | null): PageMasks | null
  added: AddedWords
  atLeast: number
  reorder(ranking: Ranking): Ranking
  mostOf: SourceLimit | null
  notes: RuleNote[]
}

type Given = { query: string; tool: string | null; isScoped: boolean; now: number }

export function ruledSearch(
  rules: readonly SearchRule[] | undefined,
  { query, tool, isScoped, now }: Given,
  memory: RuleMemory,
): RuledSearch | null {
  if (rules === undefined || rules.length === 0) return null
  const active = activeRules(rules, { query, tool })
  const mostOf = sourceLimits(active)
  let excluded: PageMasks | null = null
  return {
    restrict(parts) {
      const restricted = restrictSearch(parts, active, { isScoped, ...memory })
      excluded = restricted.masks
      return restricted.parts
    },
    masks: (own) => joinAll(own, excluded),
    added: addedWords(query, active),
    atLeast: mostOf !== null || changesScores(active) ? AT_LEAST : 0,
    reorder: (ranking) => reorder(ranking, active, { isScoped, now }),
    mostOf,
    notes: active.notes,
  }
}

/** Orders a ranking by its rules. They change what comes first, not how sure it is that the sources answer. */
function reorder(ranking: Ranking, active: ActiveRules, how: { isScoped: boolean; now: number }): Ranking {
  return { ...ranking, chunks: weighPassages(ranking.chunks, active, how) }
}

function joinAll(own: PageMasks | null, excluded: PageMasks | null): PageMasks | null {
  if (own === null || excluded === null) return own ?? excluded
  const joined = new Map(own)
  for (const [segment, mask] of excluded) {
    const known = joined.get(segment)
    joined.set(segment, known === undefined ? mask : joinMasks(known, mask))
  }
  return joined
}
