import { RULE_WEIGHTS, type RuleEffect } from '@docent/contract/values/rule-effects'
import { hasVersion, versionsOfPage } from '#search/catalogue/page-version.ts'
import type { RankedChunk } from '#search/rank/fuse.ts'
import { hasCode, pathOf } from '#search/rank/page-filter.ts'
import { type ActiveEffect, type ActiveRules, ruleGlob, splitGlob } from './active-rules.ts'
import { pathsFor, restrictionOf } from './restriction.ts'
import type { SourceType } from '@docent/contract/values/sources'
import type { Segment } from '#search/segment/open-segment.ts'

const IN_PATH = /\/((?:19|20)\d\d)[/-](0[1-9]|1[0-2])(?:[/-](0[1-9]|[12]\d|3[01]))?(?=[/.-]|$)/
const IN_TITLE = /\b((?:19|20)\d\d)-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])\b/

const DAY_MS = 24 * 60 * 60 * 1000

/** Factor of a passage's score by one effect. 1: none. */
type Weigh = (ranked: RankedChunk) => number

/** A ranked passage with the factor of the rules. */
export type WeighedChunk = RankedChunk & { ruleFactor?: number }

/** True if any effect changes scores or leaves out sections, so that more pages are worth ranking. */
export function changesScores({ effects }: ActiveRules): boolean {
  return effects.some((active) => isWeighing(active) || isOfSection(active))
}

function isOfSection({ effect }: ActiveEffect): boolean {
  return (effect.kind === 'exclude_path' || effect.kind === 'only_path') && splitGlob(effect.glob)[1] !== null
}

/** Leaves out passages of excluded sections, and of pages of which only sections are allowed. */
function withoutSections(ranked: readonly RankedChunk[], effects: readonly ActiveEffect[]): readonly RankedChunk[] {
  if (!effects.some(isOfSection)) return ranked
  const excluded = effects.flatMap((active) =>
    active.effect.kind === 'exclude_path' && isOfSection(active) ? placeOf(active.effect) : [],
  )
  const only = restrictionOf(effects)
  const allowed = new Map<string, readonly Place[]>()
  return ranked.filter((chunk) => {
    if (excluded.some((isThere) => isThere(chunk))) return false
    const { sourceId } = chunk.part
    const places = allowed.get(sourceId) ?? (only === null ? [] : pathsFor(only, sourceId).map(placeOf))
    allowed.set(sourceId, places)
    return places.length === 0 || places.some((isThere) => isThere(chunk))
  })
}

type Place = (ranked: RankedChunk) => boolean

function placeOf({ glob, sourceId }: { glob: string; sourceId?: string | undefined }): Place {
  const isThere = placeMatcher(glob)
  return (ranked) => (sourceId === undefined || ranked.part.sourceId === sourceId) && isThere(ranked)
}

function isWeighing({ effect }: ActiveEffect): boolean {
  return 'weight' in effect || effect.kind === 'prefer_recent'
}

/** Multiplies scores by the factors of the effects, and orders the passages anew. `now` is the time in milliseconds. */
export function weighPassages(
  ranked: readonly RankedChunk[],
  { effects }: ActiveRules,
  { isScoped, now }: { isScoped: boolean; now: number },
): WeighedChunk[] {
  const left = withoutSections(ranked, effects)
  // A request that names a source does not choose between sources.
  const idle: readonly string[] = isScoped ? ['prefer_source', 'avoid_source', 'prefer_type'] : []
  const weighing = effects
    .filter((active) => isWeighing(active) && !idle.includes(active.effect.kind))
    .map(({ effect, note }) => ({ note, weigh: weigherOf(effect, now) }))
  if (weighing.length === 0) return [...left]
  const weighed = left.map((chunk): WeighedChunk => {
    let factor = 1
    for (const { note, weigh } of weighing) {
      const own = weigh(chunk)
      factor *= own
      if (own > 1) note.raised++
      else if (own < 1) note.lowered++
    }
    return factor === 1 ? chunk : { ...chunk, score: chunk.score * factor, ruleFactor: factor }
  })
  return weighed.sort((a, b) => b.score - a.score)
}

function weigherOf(effect: RuleEffect, now: number): Weigh {
  const weigh = factorOf(effect, now)
  const only = 'sourceId' in effect ? effect.sourceId : undefined
  return only === undefined ? weigh : (ranked) => (ranked.part.sourceId === only ? weigh(ranked) : 1)
}

function factorOf(effect: RuleEffect, now: number): Weigh {
  switch (effect.kind) {
    case 'prefer_source':
    case 'avoid_source':
      return () => effect.weight
    case 'prefer_type':
      return ({ part }) => (part.type === effect.type ? effect.weight : 1)
    case 'prefer_path': {
      const isThere = placeMatcher(effect.glob)
      return (ranked) => (isThere(ranked) ? effect.weight : 1)
    }
    case 'prefer_version':
      return ({ part, page }) => (hasVersion(versionsOfPage(part.segment, page), effect.version) ? effect.weight : 1)
    case 'prefer_recent':
      return (ranked) => byAge(ranked, now, effect.halfLifeDays * DAY_MS)
    case 'prefer_code':
      return ({ part: { segment }, chunk }) =>
        hasCode(segment.codeSet(segment.chunkCode[chunk]), effect.language ?? true) ? effect.weight : 1
    default:
      return () => 1
  }
}

/** From half as much again for a page of today down to 1. A page without a date keeps its score. */
function byAge({ part, page }: RankedChunk, now: number, halfLifeMs: number): number {
  const { url, title } = part.segment.head(page)
  const date = pageDate(pathOf(url), title)
  return date === null ? 1 : 1 + (RULE_WEIGHTS.more - 1) * 0.5 ** (Math.max(0, now - date) / halfLifeMs)
}

/** Time of a page by the date in its path or title, in milliseconds, or null. */
export function pageDate(path: string, title: string): number | null {
  const found = IN_PATH.exec(path) ?? IN_TITLE.exec(title)
  if (found === null) return null
  const [, year, month, day] = found
  return Date.UTC(Number(year), Number(month) - 1, day === undefined ? 1 : Number(day))
}

/** Creates the test whether a passage is on the pages of a glob, and in its section if the glob has one. */
function placeMatcher(glob: string): (ranked: RankedChunk) => boolean {
  const anchor = splitGlob(glob)[1]
  const pages = new Map<SourceType, (path: string) => boolean>()
  return ({ part: { segment, type }, page, chunk }) => {
    const matches = pages.get(type) ?? ruleGlob(glob, type)
    pages.set(type, matches)
    if (!matches(pathOf(segment.url(page)))) return false
    return anchor === null || isInSection(segment, page, { chunk, anchor })
  }
}

/** A section goes on with the passages below its heading, up to the next heading beside or above it. */
function isInSection(segment: Segment, page: number, { chunk, anchor }: { chunk: number; anchor: string }): boolean {
  const wanted = anchor.toLowerCase()
  const chunkAt = (index: number) => segment.place(page, index)
  if (chunkAt(chunk).turns?.some((turn) => turn.anchor.toLowerCase() === wanted)) return true
  let first = segment.pageChunks[page]
  while (first <= chunk && chunkAt(first).anchor?.toLowerCase() !== wanted) first++
  if (first > chunk) return false
  const { headings } = chunkAt(first)
  for (let index = first; index <= chunk; index++)
    if (headings.some((heading, level) => chunkAt(index).headings[level] !== heading)) return false
  return true
}
