import type { AddedWords } from '#search/rank/analyse-query.ts'
import type { PageMasks, PathsOf } from '#search/rank/page-filter.ts'
import type { SourceSegment } from '#search/rank/corpus.ts'
import type { Ranking } from '#search/rank/rank.ts'
import {
  type ActiveRules,
  activeRules,
  type RuleNote,
  type SearchRule,
  addedWords,
  type SourceLimit,
  sourceLimits,
  type ActiveEffect,
  ruleGlob,
} from './active-rules.ts'
import { changesScores, weighPassages } from './weigh-passages.ts'
import type { Segment } from '#search/segment/open-segment.ts'

/**
 * Pages ranked when rules change scores or leave out passages: a page that a rule prefers can come from further down.
 * As many as the candidates of each list.
 */
const AT_LEAST = 24

/** Masks by segment and glob, dropped with the segment. */
type RuleMasks = WeakMap<Segment, Map<string, Mask>>

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

type Mask = { allowed: Uint8Array; leftOut: number }

/** Masks kept per segment. Only many rules on one source need more. */
const MOST_MASKS = 32

type Restricting = {
  /** True if the request names a source itself, which counts more than a rule about sources. */
  isScoped: boolean
  masks: RuleMasks
  pathsOf: (segment: Segment) => readonly string[]
}

/**
 * Leaves out the sources and pages that rules exclude. Returns the segments left, and masks of their pages, or null if
 * no page is excluded.
 */
function restrictSearch(
  parts: readonly SourceSegment[],
  { effects }: ActiveRules,
  restricting: Restricting,
): { parts: SourceSegment[]; masks: PageMasks | null } {
  const left = restricting.isScoped ? [...parts] : withoutSources(parts, effects)
  const excluding = effects.filter(({ effect }) => effect.kind === 'exclude_path')
  if (excluding.length === 0) return { parts: left, masks: null }
  const masks = new Map<Segment, Uint8Array>()
  for (const part of left) {
    for (const active of excluding) {
      const mask = excludedBy(active, part, restricting)
      if (mask === null || mask.leftOut === 0) continue
      active.note.pagesLeftOut += mask.leftOut
      const known = masks.get(part.segment)
      masks.set(part.segment, known === undefined ? mask.allowed : joinMasks(known, mask.allowed))
    }
  }
  return { parts: left, masks: masks.size > 0 ? masks : null }
}

/** Joins two masks of a segment: a page needs both. */
function joinMasks(a: Uint8Array, b: Uint8Array): Uint8Array {
  const joined = new Uint8Array(a.length)
  for (let page = 0; page < joined.length; page++) joined[page] = a[page] & b[page]
  return joined
}

/** The rule of the highest priority that restricts sources decides. Its sources count together. */
function withoutSources(parts: readonly SourceSegment[], effects: readonly ActiveEffect[]): SourceSegment[] {
  const [first] = effects.filter(({ effect }) => effect.kind === 'only_source')
  const only = new Set(
    effects.flatMap(({ effect, note }) =>
      effect.kind === 'only_source' && note === first?.note ? [effect.sourceId] : [],
    ),
  )
  const never = new Map(
    effects.flatMap(({ effect, note }) =>
      effect.kind === 'avoid_source' && effect.weight === 0 ? [[effect.sourceId, note] as const] : [],
    ),
  )
  if (only.size === 0 && never.size === 0) return [...parts]
  const gone = new Set<string>()
  return parts.filter(({ sourceId }) => {
    const note = only.size > 0 && !only.has(sourceId) ? first?.note : never.get(sourceId)
    if (note === undefined) return true
    if (!gone.has(sourceId)) note.sourcesLeftOut++
    gone.add(sourceId)
    return false
  })
}

function excludedBy(
  { effect }: ActiveEffect,
  { segment, sourceId, type }: SourceSegment,
  { masks, pathsOf }: Restricting,
): Mask | null {
  if (effect.kind !== 'exclude_path') return null
  if (effect.sourceId !== undefined && effect.sourceId !== sourceId) return null
  let known = masks.get(segment)
  if (known === undefined) {
    known = new Map()
    masks.set(segment, known)
  }
  let mask = known.get(effect.glob)
  if (mask === undefined) {
    mask = maskOf(pathsOf(segment), ruleGlob(effect.glob, type))
    if (known.size >= MOST_MASKS) known.clear()
    known.set(effect.glob, mask)
  }
  return mask
}

function maskOf(paths: readonly string[], isExcluded: (path: string) => boolean): Mask {
  const allowed = new Uint8Array(paths.length)
  let leftOut = 0
  for (let page = 0; page < allowed.length; page++)
    if (isExcluded(paths[page])) leftOut++
    else allowed[page] = 1
  return { allowed, leftOut }
}
