import { RULE_WEIGHTS, type RuleEffect } from '@docent/contract/values/rule-effects'
import type { Strength } from '#grammar/read-modifiers.ts'
import type { Subject } from '#grammar/read-subjects.ts'

const { first, more, slightly, last, lower } = RULE_WEIGHTS

/** The effects of a request on what it names. `ownSource`: the source that the whole rule is about, or null. */
export function effectsOf(
  subjects: readonly Subject[],
  strength: Strength,
  ownSource: string | null,
): RuleEffect[] | null {
  const steps = Math.max(...subjects.filter(({ flipped }) => !flipped).map(({ step }) => step))
  // An order of things to leave out, or of the only ones, has no meaning.
  if (steps > 0 && (strength.only || strength.weight <= 1)) return null
  const read = subjects.map((subject) => {
    const weight = steps > 0 && !subject.flipped ? stepWeight(subject.step, steps) : strength.weight
    return effectOf(subject, { ...strength, weight }, ownSource)
  })
  // Each name has an effect, or the sentence would lose it.
  return read.every((effects) => effects.length > 0) ? read.flat() : null
}

/** From `first` down to `slightly`, in equal ratios. Two steps are `first` and `more`. */
function stepWeight(step: number, steps: number): number {
  if (steps === 1) return step === 0 ? first : more
  return Math.round(first * (slightly / first) ** (step / steps) * 100) / 100
}

function effectOf(subject: Subject, strength: Strength, ownSource: string | null): RuleEffect[] {
  const { flipped } = subject
  const only = strength.only && !flipped
  const weight = flipped ? flip(strength) : strength.weight
  // `Never the blog instead of the docs` says nothing about the docs.
  if (weight === null) return []
  const scope = subject.scope ?? ownSource
  const within = scope === null ? {} : { sourceId: scope }
  switch (subject.of) {
    case 'source':
      return [sourceEffect(subject.sourceId, only, weight)]
    case 'kind':
      if (weight > 1 && !only) return [{ kind: 'prefer_type', type: subject.type, weight }]
      return subject.sources.map((sourceId) => sourceEffect(sourceId, only, weight))
    case 'path':
      if (only && subject.scope !== undefined) {
        const source = { kind: 'only_source' as const, sourceId: subject.scope }
        return [source, { kind: 'only_path', glob: subject.glob, ...within }]
      }
      if (only) return [{ kind: 'only_path', glob: subject.glob, ...within }]
      return weight === 0
        ? [{ kind: 'exclude_path', glob: subject.glob, ...within }]
        : [{ kind: 'prefer_path', glob: subject.glob, weight, ...within }]
    case 'version': {
      const { version, written } = subject
      if (only && subject.isKnown) return subject.globs.map((glob) => ({ kind: 'only_path', glob, ...within }))
      if (only) return written === 'old' ? [] : [{ kind: 'prefer_version', version, weight: first, ...within }]
      // Leaving out a version leaves out its pages. Leaving out old versions prefers the latest.
      if (weight === 0 && written !== 'old')
        return subject.globs.map((glob) => ({ kind: 'exclude_path', glob, ...within }))
      if (written !== 'old') return [{ kind: 'prefer_version', version, weight, ...within }]
      return weight > 1 ? [] : [{ kind: 'prefer_version', version, weight: weight === 0 ? first : more, ...within }]
    }
    case 'recent': {
      // Nothing prefers old pages.
      const halfLifeDays = Math.abs(subject.halfLifeDays)
      return only || subject.halfLifeDays < 0 === weight > 1 ? [] : [{ kind: 'prefer_recent', halfLifeDays, ...within }]
    }
  }
  const language = subject.language === undefined ? {} : { language: subject.language }
  // Code cannot be left out, only ranked last.
  return only ? [] : [{ kind: 'prefer_code', ...language, weight: Math.max(weight, last), ...within }]
}

/** The effect on the words after `over`: the opposite. */
function flip({ weight, only, isExclusive }: Strength): number | null {
  if (only || isExclusive) return 0
  if (weight === 0) return null
  return weight > 1 ? lower : more
}

function sourceEffect(sourceId: string, only: boolean, weight: number): RuleEffect {
  if (only) return { kind: 'only_source', sourceId }
  return { kind: weight > 1 ? 'prefer_source' : 'avoid_source', sourceId, weight }
}
