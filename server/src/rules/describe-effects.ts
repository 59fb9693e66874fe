import type { RuleCondition, RuleEffect } from '@docent/contract/values/rule-effects'
import { sourceKind } from '@docent/contract/values/source-kinds'
import type { NamedSource } from '#grammar/source-names.ts'

type Sources = readonly Pick<NamedSource, 'id' | 'url' | 'label'>[]

/** Each effect of a rule as an English sentence, with its condition. What no sentence says is not applied. */
export function describeEffects(effects: readonly RuleEffect[], sources: Sources): string[] {
  return effects.map((effect) => {
    const condition = effect.when === undefined ? '' : describeCondition(effect.when)
    return `${describe(effect, sources)}${condition === '' ? '' : `, ${condition}`}.`
  })
}

function describe(effect: RuleEffect, sources: Sources): string {
  const within =
    'sourceId' in effect && effect.sourceId !== undefined ? ` of ${nameSource(effect.sourceId, sources)}` : ''
  switch (effect.kind) {
    case 'prefer_source':
    case 'avoid_source':
      return effect.weight === 0
        ? `Never uses ${nameSource(effect.sourceId, sources)}`
        : `Ranks ${nameSource(effect.sourceId, sources)} ${rankOf(effect.weight)}`
    case 'only_source':
      return `Uses only ${nameSource(effect.sourceId, sources)}`
    case 'prefer_path':
      return `Ranks ${describeGlob(effect.glob)}${within} ${rankOf(effect.weight)}`
    case 'exclude_path':
      return `Leaves out ${describeGlob(effect.glob)}${within}`
    case 'only_path':
      return `Uses only ${describeGlob(effect.glob)}${within}`
    case 'prefer_type':
      return `Ranks sources of type ${sourceKind(effect.type).title} ${rankOf(effect.weight)}`
    case 'prefer_version':
      return `Ranks ${effect.version === 'latest' ? 'the latest version' : `version ${effect.version}`}${within} ${rankOf(effect.weight)}`
    case 'prefer_recent':
      return `Ranks pages${within} higher the newer they are: half of the preference is left at ${effect.halfLifeDays} days`
    case 'prefer_code':
      return `Ranks passages${within} with ${effect.language ? `${effect.language} ` : ''}code ${rankOf(effect.weight)}`
    case 'expand_terms':
      return `Reads “${effect.from}” also as ${effect.to.map((word) => `“${word}”`).join(', ')}`
  }
  return `Shows at most ${effect.n === 1 ? 'one passage' : `${effect.n} passages`}${within || ' of a source'}`
}

function describeCondition({ terms, exceptTerms, tool, language }: RuleCondition): string {
  const quoted = (words: readonly string[]) => listed(words.map((word) => `“${word}”`))
  const parts = [
    terms ? `with ${quoted(terms)}` : '',
    exceptTerms ? `without ${quoted(exceptTerms)}` : '',
    language ? `in ${new Intl.DisplayNames('en', { type: 'language' }).of(language)}` : '',
  ].filter(Boolean)
  const calls = tool ? [`for calls of ${listed(tool)}`] : []
  return `only ${[...calls, ...(parts.length > 0 ? [`for questions ${parts.join(' and ')}`] : [])].join(', ')}`
}

/** `a, b or c`. */
export function listed(words: readonly string[], joint: 'or' | 'and' = 'or'): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} ${joint} ${last}`
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
export function describeGlob(glob: string): string {
  const [path = '', section] = glob.replace(/(?<=.)\/\*$/, '').split('#', 2)
  return section === undefined ? `pages under ${path}` : `the section #${section} of ${path}`
}

function nameSource(id: string, sources: Sources): string {
  const source = sources.find((one) => one.id === id)
  return source ? (source.label ?? shortAddress(source.url)) : 'a removed source'
}

const shortAddress = (url: string): string => url.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/$/, '')
