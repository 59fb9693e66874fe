import type { RuleEffect } from '@docent/contract/values/rule-effects'
import type { ActiveEffect, RuleNote } from './active-rules.ts'

export type OnlyPath = Extract<RuleEffect, { kind: 'only_path' }>

/** What the rule of the highest priority with a restriction allows: whole sources, and pages by their path. */
export type Restriction = { note: RuleNote; sources: ReadonlySet<string>; paths: readonly OnlyPath[] }

export function restrictionOf(effects: readonly ActiveEffect[]): Restriction | null {
  const isRestriction = ({ kind }: RuleEffect) => kind === 'only_source' || kind === 'only_path'
  const note = effects.find(({ effect }) => isRestriction(effect))?.note
  if (note === undefined) return null
  const own = effects.filter((active) => active.note === note).map(({ effect }) => effect)
  const sources = new Set(own.flatMap((effect) => (effect.kind === 'only_source' ? effect.sourceId : [])))
  return { note, sources, paths: own.flatMap((effect) => (effect.kind === 'only_path' ? effect : [])) }
}

/** The paths that a page of this source must have. Empty: all pages are allowed. */
export function pathsFor({ sources, paths }: Restriction, sourceId: string): readonly OnlyPath[] {
  const isWhole = sources.has(sourceId)
  return paths.filter((path) => path.sourceId === sourceId || (path.sourceId === undefined && !isWhole))
}
