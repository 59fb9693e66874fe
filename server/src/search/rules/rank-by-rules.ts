import type { AddedWords } from '#search/rank/analyse-query.ts'
import type { SourceSegment } from '#search/rank/corpus.ts'
import type { PageMasks, PathsOf } from '#search/rank/page-filter.ts'
import type { Ranking } from '#search/rank/rank.ts'
import type { Segment } from '#search/segment/open-segment.ts'
import {
  type ActiveEffect,
  activeRules,
  addedWords,
  type RuleNote,
  ruleGlob,
  type SearchRule,
  type SourceLimit,
  sourceLimits,
} from './active-rules.ts'
import { changesScores, weighPassages } from './weigh-passages.ts'

/** Pages ranked if rules change scores: as many as the candidates of each list. */
const AT_LEAST = 24
/** Masks kept per segment. Only many rules on one source need more. */
const MOST_MASKS = 32

/** The pages that a glob leaves. */
type Mask = { allowed: Uint8Array; leftOut: number }

/** `masksOf`: by glob. */
export type RuleMemory = { masksOf: (segment: Segment) => Map<string, Mask>; pathsOf: PathsOf }

/** The rules of a server in one search. Null if it has none, so that such a search costs nothing more. */
export type RuledSearch = {
  /** Leaves out excluded sources and pages. `masks` is null if no page is left out. */
  restrict(parts: readonly SourceSegment[]): { parts: readonly SourceSegment[]; masks: PageMasks | null }
  /** Words and pages that the ranking needs besides those of the request. */
  options: { added: AddedWords; atLeast: number }
  /** Orders a ranking. Rules change what comes first, not how sure it is that the sources answer. */
  reorder(ranking: Ranking): Ranking
  mostOf: SourceLimit | null
  notes: RuleNote[]
}

/** `isScoped`: the request names a source itself, which counts more than a rule about sources. */
type Given = { query: string; tool: string | null; isScoped: boolean; now: number }

export function ruledSearch(
  rules: readonly SearchRule[] | undefined,
  { query, tool, isScoped, now }: Given,
  memory: RuleMemory,
): RuledSearch | null {
  if (rules === undefined || rules.length === 0) return null
  const active = activeRules(rules, { query, tool })
  const mostOf = sourceLimits(active)
  return {
    restrict(parts) {
      const left = isScoped ? parts : withoutSources(parts, active.effects)
      return { parts: left, masks: excludedPages(left, active.effects, memory) }
    },
    options: { added: addedWords(query, active), atLeast: mostOf !== null || changesScores(active) ? AT_LEAST : 0 },
    reorder: (ranking) => ({ ...ranking, chunks: weighPassages(ranking.chunks, active, { isScoped, now }) }),
    mostOf,
    notes: active.notes,
  }
}

/** Joins masks of pages: a page needs both. */
export function joinMasks(one: PageMasks | null, other: PageMasks | null): PageMasks | null {
  if (one === null || other === null) return one ?? other
  const joined = new Map(one)
  for (const [segment, mask] of other) joined.set(segment, bothOf(joined.get(segment), mask))
  return joined
}

function bothOf(known: Uint8Array | undefined, mask: Uint8Array): Uint8Array {
  if (known === undefined) return mask
  const joined = new Uint8Array(mask.length)
  for (let page = 0; page < joined.length; page++) joined[page] = known[page] & mask[page]
  return joined
}

/** The rule of the highest priority that restricts sources decides. Its sources count together. */
function withoutSources(parts: readonly SourceSegment[], effects: readonly ActiveEffect[]): readonly SourceSegment[] {
  const first = effects.find(({ effect }) => effect.kind === 'only_source')?.note
  const only = new Set<string>()
  const never = new Map<string, RuleNote>()
  for (const { effect, note } of effects) {
    if (effect.kind === 'only_source' && note === first) only.add(effect.sourceId)
    if (effect.kind === 'avoid_source' && effect.weight === 0) never.set(effect.sourceId, note)
  }
  if (only.size === 0 && never.size === 0) return parts
  const gone = new Set<string>()
  return parts.filter(({ sourceId }) => {
    const note = only.size > 0 && !only.has(sourceId) ? first : never.get(sourceId)
    if (note === undefined) return true
    if (!gone.has(sourceId)) note.sourcesLeftOut++
    gone.add(sourceId)
    return false
  })
}

function excludedPages(
  parts: readonly SourceSegment[],
  effects: readonly ActiveEffect[],
  memory: RuleMemory,
): PageMasks | null {
  const masks = new Map<Segment, Uint8Array>()
  for (const part of parts) {
    for (const { effect, note } of effects) {
      if (effect.kind !== 'exclude_path' || (effect.sourceId ?? part.sourceId) !== part.sourceId) continue
      const { allowed, leftOut } = maskOf(part, effect.glob, memory)
      if (leftOut === 0) continue
      note.pagesLeftOut += leftOut
      masks.set(part.segment, bothOf(masks.get(part.segment), allowed))
    }
  }
  return masks.size > 0 ? masks : null
}

function maskOf({ segment, type }: SourceSegment, glob: string, { masksOf, pathsOf }: RuleMemory): Mask {
  const known = masksOf(segment)
  const kept = known.get(glob)
  if (kept !== undefined) return kept
  const isExcluded = ruleGlob(glob, type)
  const paths = pathsOf(segment)
  const mask: Mask = { allowed: new Uint8Array(paths.length), leftOut: 0 }
  for (let page = 0; page < paths.length; page++) {
    if (isExcluded(paths[page])) mask.leftOut++
    else mask.allowed[page] = 1
  }
  if (known.size >= MOST_MASKS) known.clear()
  known.set(glob, mask)
  return mask
}
