import type { RuleEffect } from '@docent/contract/values/rule-effects'
import { has, type Item, isComma } from './annotate.ts'

type Synonyms = Extract<RuleEffect, { kind: 'expand_terms' }>

/** Reads `treat X as Y`, `X and Y are synonyms` and `X means Y`. Null if the clause is about something else. */
export function readSynonyms(items: readonly Item[], text: string): Synonyms[] | null {
  const means = items.findIndex((item) => has(item, 'means') && !has(item, 'about'))
  const same = items.findIndex((item) => has(item, 'same'))
  const treat = items.findIndex((item) => has(item, 'treat'))
  if (same > 0) return mutual(phrasesOf(items.slice(Math.max(0, treat + 1), same), text))
  // `Treat the forum as secondary` is about the forum.
  const isAboutSource = items.some(({ sources, meaning }) => sources.length > 0 || meaning.part || meaning.kind)
  if (treat === 0 && !isAboutSource && items.some((item, index) => index > 0 && has(item, 'as')))
    return pairs(items.slice(1), text)
  const isPlain = !items.slice(0, means).some((item) => has(item, 'up', 'down', 'exclude', 'only'))
  if (means > 0 && isPlain)
    return expand(phrasesOf(items.slice(0, means), text), phrasesOf(items.slice(means + 1), text))
  return null
}

/** `k8s as kubernetes and auth as authentication` */
function pairs(items: readonly Item[], text: string): Synonyms[] | null {
  const found: Synonyms[] = []
  let from = 0
  for (let at = 0; at < items.length; at++) {
    if (!has(items[at], 'as')) continue
    const next = nextPair(items, at)
    const made = expand(phrasesOf(items.slice(from, at), text), phrasesOf(items.slice(at + 1, next), text))
    if (made === null) return null
    found.push(...made)
    from = next
    at = next
  }
  return found.length > 0 ? found : null
}

/** Where the next pair begins: after the last `and` or comma before the next `as`, or at the end. */
function nextPair(items: readonly Item[], at: number): number {
  const nextAs = items.findIndex((item, index) => index > at && has(item, 'as'))
  if (nextAs < 0) return items.length
  const joint = items.findLastIndex(
    (item, index) => index > at && index < nextAs && (has(item, 'and') || isComma(item)),
  )
  return joint < 0 ? nextAs : joint
}

function expand(from: readonly string[], to: readonly string[]): Synonyms[] | null {
  if (from.length === 0 || to.length === 0) return null
  return from.map((each) => ({ kind: 'expand_terms', from: each, to: [...to] }))
}

function mutual(words: readonly string[]): Synonyms[] | null {
  if (words.length < 2) return null
  return words.map((from) => ({ kind: 'expand_terms', from, to: words.filter((other) => other !== from) }))
}

/** Phrases between `and`, `or` and commas, in lower case, without articles at their start. */
export function phrasesOf(items: readonly Item[], text: string): string[] {
  const phrases: string[] = []
  let first: Item | null = null
  let last: Item | null = null
  const push = () => {
    const phrase = first && last ? (first === last ? first.key : text.slice(first.start, last.end)).toLowerCase() : ''
    if (phrase !== '' && !phrases.includes(phrase)) phrases.push(phrase)
    first = null
  }
  for (const item of items) {
    if (isComma(item) || has(item, 'and', 'or')) push()
    else if (first !== null || item.isQuoted || !has(item, 'filler', 'is', 'must', 'about', 'first')) {
      if (item.isQuoted) push()
      first ??= item
      last = item
      if (item.isQuoted) push()
    }
  }
  push()
  return phrases
}
