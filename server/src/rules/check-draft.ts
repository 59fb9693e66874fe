import type { RuleEffect } from '@docent/contract/values/rule-effects'
import { annotate } from '#grammar/annotate.ts'
import { has, isName, isUnread, type Item, numberOf } from '#grammar/item.ts'
import type { Lexicons, Tag } from '#grammar/lexicon.ts'
import { sourceNames } from '#grammar/source-names.ts'
import { fold, isSameWord, wordsOf } from '#grammar/tokenise.ts'
import type { RuleServer } from './compile-rule.ts'

/** What a model made of a sentence. `wording`: words that only say how strongly, or how something is said. */
export type RuleDraft = { effects: readonly RuleEffect[]; removed: readonly string[]; wording: readonly string[] }

/**
 * Returns the words of a sentence that a draft does not account for, as written. Each word that carries a meaning ends
 * in an effect, a condition or a removed part; words outside the vocabulary can be wording, unless they look like names.
 * A word that turns a sentence round, such as `not`, `only` and `when`, needs an effect of that kind.
 */
export function wordsLeftOut(
  sentence: string,
  { effects, removed, wording }: RuleDraft,
  { lexicon, server }: { lexicon: Lexicons; server: RuleServer },
): string[] {
  const spans = removed.flatMap((part) => spansOf(sentence, part))
  const said = wordsOfEffects(effects, server)
  const values = wordsOfEffects(effects, { ...server, sources: [] })
  const plain = new Set(wording.flatMap((words) => wordsOf(words).map(({ key }) => key)))
  const items = annotate(sentence, { lexicon, names: sourceNames(server.sources) })
  return items.flatMap((all) =>
    all
      .filter((item, index) => {
        if (item.isComma || spans.some(({ start, end }) => start <= item.start && item.end <= end)) return false
        if (!isContent(item)) return TURNS.some(({ tag, isDone }) => has(item, tag) && !effects.some(isDone))
        // The name of a source is in the effects by its id, not by a word that others have too.
        if (isInEffects(item, effects, item.sources.length > 0 ? values : said)) return false
        const isProper = index > 0 && /^\p{Lu}/u.test(item.text)
        return !(isUnread(item) && !isProper && !/\d/.test(item.key) && plain.has(item.key))
      })
      .map(({ text }) => text),
  )
}

/** Words that need an effect of their kind. */
const TURNS: readonly { tag: Tag; isDone: (effect: RuleEffect) => boolean }[] = [
  {
    tag: 'only',
    isDone: ({ kind, when }) => kind.startsWith('only_') || kind === 'max_per_source' || when !== undefined,
  },
  { tag: 'not', isDone: isLowering },
  { tag: 'exclude', isDone: isLowering },
  { tag: 'except', isDone: isLowering },
  { tag: 'when', isDone: ({ when }) => when !== undefined },
  { tag: 'when_asked', isDone: ({ when }) => when !== undefined },
  { tag: 'unless', isDone: ({ when }) => when?.exceptTerms !== undefined },
]

function isLowering(effect: RuleEffect): boolean {
  if (effect.when?.exceptTerms !== undefined || effect.kind === 'exclude_path' || effect.kind.startsWith('only_'))
    return true
  return effect.kind === 'max_per_source' || ('weight' in effect && effect.weight < 1)
}

function isContent(item: Item): boolean {
  const { meaning, version, unknown, isQuoted } = item
  const isNamed = isName(item) || version !== null || unknown || isQuoted || isUnread(item)
  const isThing = (meaning.code ?? meaning.language ?? meaning.tool ?? meaning.days) !== undefined
  const isNumber = numberOf(item) !== null && !has(item, 'filler', 'generic')
  return isNamed || isThing || isNumber || has(item, 'recent', 'old', 'latest', 'answer', 'refuse', 'command', 'manner')
}

/** True if an effect has the thing that an item names. */
function isInEffects(item: Item, effects: readonly RuleEffect[], said: ReadonlySet<string>): boolean {
  const { meaning, sources, key, text } = item
  const any = (test: (effect: RuleEffect) => boolean) => effects.some(test)
  if (any((effect) => 'sourceId' in effect && effect.sourceId !== undefined && sources.includes(effect.sourceId)))
    return true
  if (meaning.kind !== undefined && any((effect) => effect.kind === 'prefer_type' && effect.type === meaning.kind))
    return true
  if (meaning.language !== undefined && any(({ when }) => when?.language === meaning.language)) return true
  const { tool } = meaning
  if (tool !== undefined && any(({ when }) => when?.tool?.includes(tool) === true)) return true
  if (meaning.days !== undefined || has(item, 'recent', 'old')) return any(({ kind }) => kind === 'prefer_recent')
  if (has(item, 'latest') && any((effect) => effect.kind === 'prefer_version' && effect.version === 'latest'))
    return true
  const number = numberOf(item)
  if (number !== null && any((effect) => isAmount(effect, number))) return true
  const words = [
    meaning.part?.key ?? '',
    meaning.code ?? '',
    ...wordsOf(text).flatMap((word) => word.key.split('/')),
    key,
  ]
  return words.filter((word) => word !== '').some((word) => [...said].some((one) => isSameWord(one, word)))
}

function isAmount(effect: RuleEffect, number: number): boolean {
  if (effect.kind === 'prefer_recent') return effect.halfLifeDays % number === 0
  return effect.kind === 'max_per_source' && effect.n === number
}

/** The words in the values of effects, and in the names of their sources. */
function wordsOfEffects(effects: readonly RuleEffect[], { sources }: RuleServer): Set<string> {
  const values = effects.flatMap(({ kind: _, when, ...effect }): string[] => {
    const source = 'sourceId' in effect ? sources.find(({ id }) => id === effect.sourceId) : undefined
    const type = 'type' in effect ? [effect.type] : []
    const own = ['glob', 'version', 'language', 'from'].flatMap(
      (name) => (effect as Record<string, string>)[name] ?? [],
    )
    const to = 'to' in effect ? effect.to : []
    const terms = [...(when?.terms ?? []), ...(when?.exceptTerms ?? [])]
    return [...own, ...to, ...type, ...terms, ...(source ? [source.type, source.label ?? '', source.url] : [])]
  })
  // `4.2` is one word, and `docs.example` are two.
  return new Set(values.flatMap((value) => [fold(value), ...fold(value).split(/[^\p{L}\p{N}]+/u)]))
}

function spansOf(text: string, part: string): { start: number; end: number }[] {
  const start = text.indexOf(part)
  return part === '' || start < 0 ? [] : [{ start, end: start + part.length }]
}
