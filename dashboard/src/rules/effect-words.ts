import type { Output } from '@docent/sdk'
import { shortAddress } from '../lib/format.ts'
import { typeTitle } from '../lib/words.ts'

export type Effect = Output<'retrievalRules.list'>['rules'][number]['effects'][number]
type Source = { id: string; url: string; label: string | null }

/** An effect of a rule in words, with the condition on the call if it has one. */
export function effectWords(effect: Effect, sources: readonly Source[]): { what: string; when: string | null } {
  return { what: `${whatOf(effect, sources)}.`, when: whenOf(effect) }
}

function whatOf(effect: Effect, sources: readonly Source[]): string {
  const named = (id: string) => nameOf(id, sources)
  const within = 'sourceId' in effect && effect.sourceId !== undefined ? ` of ${named(effect.sourceId)}` : ''
  switch (effect.kind) {
    case 'prefer_source':
    case 'avoid_source':
      return effect.weight === 0
        ? `Never uses ${named(effect.sourceId)}`
        : `Ranks ${named(effect.sourceId)} ${rankOf(effect.weight)}`
    case 'only_source':
      return `Uses only ${named(effect.sourceId)}`
    case 'prefer_path':
      return `Ranks pages under ${pathOf(effect.glob)}${within} ${rankOf(effect.weight)}`
    case 'exclude_path':
      return `Leaves out pages under ${pathOf(effect.glob)}${within}`
    case 'prefer_type':
      return `Ranks sources of type ${typeTitle(effect.type)} ${rankOf(effect.weight)}`
    case 'prefer_version':
      return `Ranks ${effect.version === 'latest' ? 'the latest version' : `version ${effect.version}`}${within} ${rankOf(effect.weight)}`
    case 'prefer_recent':
      return `Ranks pages${within} higher the newer they are: half of the preference is left at ${effect.halfLifeDays} days`
    case 'prefer_code':
      return `Ranks passages${within} with ${effect.language ? `${effect.language} ` : ''}code ${rankOf(effect.weight)}`
    case 'expand_terms':
      return `Reads “${effect.from}” also as ${effect.to.map((word) => `“${word}”`).join(', ')}`
    case 'max_per_source':
      return `Shows at most ${effect.n === 1 ? 'one passage' : `${effect.n} passages`}${within || ' of a source'}`
  }
}

function whenOf({ when }: Effect): string | null {
  if (!when) return null
  const { terms, tool, language } = when
  const words = terms?.map((term) => `“${term}”`).join(' or ')
  return [
    words ? `for questions with ${words}` : '',
    tool ? `for calls of ${tool.join(' or ')}` : '',
    language ? `for questions in ${new Intl.DisplayNames(undefined, { type: 'language' }).of(language)}` : '',
  ]
    .filter(Boolean)
    .join(', ')
}

/** Bounds between the strengths that sentences compile to (`RULE_WEIGHTS` in the contract). */
function rankOf(weight: number): string {
  if (weight >= 2) return 'first'
  if (weight >= 1.3) return 'higher'
  if (weight >= 1) return 'slightly higher'
  if (weight >= 0.75) return 'slightly lower'
  return weight >= 0.45 ? 'lower' : 'last'
}

/** `/blog/*` is `/blog` with everything below it. */
const pathOf = (glob: string): string => glob.replace(/(?<=.)\/\*$/, '')

function nameOf(id: string, sources: readonly Source[]): string {
  const source = sources.find((one) => one.id === id)
  return source ? (source.label ?? shortAddress(source.url)) : 'a removed source'
}
