import type { ActiveRules } from './active-rules.ts'

/** Maximum passages of a source in an answer. */
export type SourceLimit = (sourceId: string) => number

/** The limit of the rule with the highest priority. Null if no rule has one. */
export function sourceLimits({ effects }: ActiveRules): SourceLimit | null {
  const limits = effects.flatMap(({ effect, note }) => (effect.kind === 'max_per_source' ? [{ effect, note }] : []))
  if (limits.length === 0) return null
  for (const { effect, note } of limits) note.perSource ??= effect.n
  return (sourceId) =>
    limits.find(({ effect }) => effect.sourceId === undefined || effect.sourceId === sourceId)?.effect.n ?? Infinity
}
