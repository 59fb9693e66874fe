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
  splitGlob,
  type SearchRule,
  type SourceLimit,
  sourceLimits,
} from './active-rules.ts'
import { type OnlyPath, pathsFor, restrictionOf } from './restriction.ts'
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

export function ruledSearch(
  rules: readonly SearchRule[] | undefined,
  { query, tool, isScoped, now }: { query: string; tool: string | null; isScoped: boolean; now: number },
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

/** Leaves out sources. Paths of all sources keep their sources: `only the wiki and /guides`. */
function withoutSources(parts: readonly SourceSegment[], effects: readonly ActiveEffect[]): readonly SourceSegment[] {
  const only = restrictionOf(effects)
  const never = new Map<string, RuleNote>()
  for (const { effect, note } of effects)
    if (effect.kind === 'avoid_source' && effect.weight === 0) never.set(effect.sourceId, note)
  const isClosed = only !== null && only.sources.size > 0 && only.paths.every(({ sourceId }) => sourceId !== undefined)
  if (!isClosed && never.size === 0) return parts
  const gone = new Set<string>()
  return parts.filter(({ sourceId }) => {
    const note = isClosed && !only.sources.has(sourceId) ? only.note : never.get(sourceId)
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
  const leaveOut = (segment: Segment, { allowed, leftOut }: Mask, note: RuleNote) => {
    if (leftOut === 0) return
    note.pagesLeftOut += leftOut
    masks.set(segment, bothOf(masks.get(segment), allowed))
  }
  const only = restrictionOf(effects)
  for (const part of parts) {
    for (const { effect, note } of effects) {
      if (effect.kind !== 'exclude_path' || (effect.sourceId ?? part.sourceId) !== part.sourceId) continue
      // A section is left out passage by passage.
      if (splitGlob(effect.glob)[1] === null) leaveOut(part.segment, maskOf(part, effect.glob, memory), note)
    }
    const paths = only === null ? [] : pathsFor(only, part.sourceId)
    if (only !== null && paths.length > 0) leaveOut(part.segment, onlyMask(part, paths, memory), only.note)
  }
  return masks.size > 0 ? masks : null
}

/** The pages that match any of the paths. */
function onlyMask(part: SourceSegment, paths: readonly OnlyPath[], memory: RuleMemory): Mask {
  const allowed = new Uint8Array(part.segment.pageCount)
  for (const { glob } of paths) {
    const other = maskOf(part, splitGlob(glob)[0], memory).allowed
    for (let page = 0; page < allowed.length; page++) if (other[page] === 0) allowed[page] = 1
  }
  let leftOut = 0
  for (let page = 0; page < allowed.length; page++) if (allowed[page] === 0) leftOut++
  return { allowed, leftOut }
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
