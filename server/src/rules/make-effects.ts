import { RULE_WEIGHTS, type RuleCondition, type RuleEffect } from '@docent/contract/values/rule-effects'
import type { Strength } from './read-modifiers.ts'
import type { Subject } from './read-subjects.ts'

type Making = {
  strength: Strength
  when: RuleCondition | null
  /** The source that the whole rule is about, or null. */
  ownSource: string | null
}

/** The effects of a clause, one for each thing that it names. */
export function makeEffects(subjects: readonly Subject[], making: Making): RuleEffect[] {
  const effects = subjects.flatMap((subject) => effectsOf(subject, making))
  return effects.map((effect) => withWhen(effect, making.when))
}

function effectsOf(subject: Subject, { strength, ownSource }: Making): RuleEffect[] {
  const { only } = strength
  const weight = subject.flipped ? flip(strength) : strength.weight
  const scope = subject.scope ?? ownSource
  const within = scope === null ? {} : { sourceId: scope }
  if (weight === null) return []
  switch (subject.of) {
    case 'source':
      return [sourceEffect(subject.sourceId, { only: only && !subject.flipped, weight })]
    case 'kind':
      if (weight > 1 && !only) return [{ kind: 'prefer_type', type: subject.type, weight }]
      return subject.sources.map((sourceId) => sourceEffect(sourceId, { only: only && !subject.flipped, weight }))
    case 'path':
      return weight === 0
        ? [{ kind: 'exclude_path', glob: subject.glob, ...within }]
        : [{ kind: 'prefer_path', glob: subject.glob, weight, ...within }]
    case 'version':
      return versionEffects(subject, { weight, within })
    case 'recent':
      return recentEffects(subject.halfLifeDays, { weight, within })
    default:
      return subject.flipped ? [] : [codeEffect(subject.language, { weight, within })]
  }
}

/** The effect on the words after `over`: the opposite, or nothing where the clause only leaves something out. */
function flip({ weight }: Strength): number | null {
  if (weight === 0) return null
  return weight > 1 ? RULE_WEIGHTS.lower : RULE_WEIGHTS.more
}

function sourceEffect(sourceId: string, { only, weight }: Strength): RuleEffect {
  if (only) return { kind: 'only_source', sourceId }
  return weight > 1 ? { kind: 'prefer_source', sourceId, weight } : { kind: 'avoid_source', sourceId, weight }
}

type Within = { weight: number; within: { sourceId?: string } }

/** Leaving out a version leaves out its pages. Leaving out old versions prefers the latest. */
function versionEffects(
  { version, written }: { version: string; written: string },
  { weight, within }: Within,
): RuleEffect[] {
  if (written === 'old') {
    if (weight > 1) return []
    const strong = weight === 0 ? RULE_WEIGHTS.first : RULE_WEIGHTS.more
    return [{ kind: 'prefer_version', version: 'latest', weight: strong, ...within }]
  }
  if (weight === 0) return [{ kind: 'exclude_path', glob: `*/${written}/*`, ...within }]
  return [{ kind: 'prefer_version', version, weight, ...within }]
}

/** `halfLifeDays` is negative for old pages. Nothing prefers those. */
function recentEffects(halfLifeDays: number, { weight, within }: Within): RuleEffect[] {
  const isOld = halfLifeDays < 0
  if (isOld === weight > 1) return []
  return [{ kind: 'prefer_recent', halfLifeDays: Math.abs(halfLifeDays), ...within }]
}

function codeEffect(language: string | undefined, { weight, within }: Within): RuleEffect {
  const least = Math.max(weight, RULE_WEIGHTS.last)
  return { kind: 'prefer_code', ...(language === undefined ? {} : { language }), weight: least, ...within }
}

export function withWhen<E extends RuleEffect>(effect: E, when: RuleCondition | null): E {
  return when === null ? effect : { ...effect, when }
}
