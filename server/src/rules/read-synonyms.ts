import { type RuleCondition, type RuleEffect } from '@docent/contract/values/rule-effects'
import { has, isName, type Item, splitAt } from '#grammar/item.ts'

type Synonyms = Extract<RuleEffect, { kind: 'expand_terms' }>

/** Words of longer phrases are a sentence, not a name. */
const MOST_WORDS = 6

/** Reads `treat X as Y`, `X and Y are synonyms` and `X means Y`. Null if the clause is about something else. */
export function readSynonyms(items: readonly Item[], text: string): Synonyms[] | null {
  if (items.some((item) => !item.isQuoted && has(item, 'except', 'unless', 'not'))) return null
  const same = items.findIndex((item) => has(item, 'same'))
  const treat = items.findIndex((item) => has(item, 'treat'))
  const isTreated = treat >= 0 && items.slice(0, treat).every((item) => has(item, 'filler', 'polite'))
  if (same >= 0) {
    // `X and Y are synonyms`, `treat X and Y as synonyms`, `X is the same as Y`
    // `Treat hold and reservation as synonyms`: the first verb is that of the request.
    const isVerb = (item: Item) => !item.isQuoted && has(item, 'treat', 'use') && item === verb
    const verb = items.find((item) => !has(item, 'filler', 'polite', 'must', 'and') || has(item, 'treat'))
    // `… are interchangeable in our docs`
    const end = same > 0 && has(items[same + 1], 'in') ? same : items.length
    const words = phrasesOf(
      items.filter((item, index) => index !== same && index < end && !isVerb(item)),
      text,
    )
    if (words === null || words.length < 2) return null
    return words.map((from) => ({ kind: 'expand_terms', from, to: words.filter((other) => other !== from) }))
  }
  // `Treat the forum as secondary` is about the forum.
  if (isTreated && !items.some(isRanked) && items.some((item, index) => index > treat + 1 && has(item, 'as')))
    return pairs(items.slice(treat + 1), text)
  const means = items.findIndex((item) => has(item, 'means'))
  // `A means B, and C means D`
  if (items.filter((item) => !item.isQuoted && has(item, 'means')).length > 1) return null
  const topic = items.findIndex((item) => item.key === 'は' || item.key === '是')
  // `XはYの略です`
  if (topic > 0 && means > topic && items.slice(means + 1).every((item) => has(item, 'filler', 'is', 'polite')))
    return expand(items.slice(0, topic), items.slice(topic + 1, means), text)
  // `Repo is short for repository`
  const isPlain = means === 1 || !items.slice(0, Math.max(0, means)).some(isRanked)
  return means > 0 && isPlain ? expand(items.slice(0, means), items.slice(means + 1), text) : null
}

/** `A stands for B and C for D`: a pair begins after each `and`. Null without a second pair. */
export function readMeanings(items: readonly Item[], text: string): Synonyms[] | null {
  const isEnd = (item: Item) => item.isComma || has(item, 'and')
  const parts = splitAt(items, isEnd)
  const marks = parts.map((part) => part.findIndex((item, at) => at > 0 && (has(item, 'means') || item.key === 'for')))
  if (parts.length < 2 || marks.includes(-1) || !has(parts[0]?.[marks[0] ?? 0], 'means')) return null
  const found = parts.map((part, at) => expand(part.slice(0, marks[at]), part.slice((marks[at] ?? 0) + 1), text))
  return found.every((each) => each !== null) ? found.flat() : null
}

const isRanked = (item: Item) => !item.isQuoted && (isName(item) || has(item, 'up', 'down', 'exclude', 'only', 'last'))

/** `k8s as kubernetes and auth as authentication`: a pair begins after the last `and` or comma before its `as`. */
function pairs(items: readonly Item[], text: string): Synonyms[] | null {
  const marks = items.flatMap((item, index) => (has(item, 'as') && index > 0 && !has(item, 'and') ? index : []))
  const starts = marks.map((mark, pair) => {
    const before = marks[pair - 1] ?? -1
    const joint = items.findLastIndex(
      (item, index) => index > before && index < mark && (item.isComma || has(item, 'and')),
    )
    return pair === 0 ? 0 : joint < 0 ? mark : joint
  })
  const found = marks.map((mark, pair) =>
    expand(items.slice(starts[pair], mark), items.slice(mark + 1, starts[pair + 1]), text),
  )
  return found.length > 0 && found.every((each) => each !== null) ? found.flat() : null
}

function expand(from: readonly Item[], to: readonly Item[], text: string): Synonyms[] | null {
  const [froms, tos] = [phrasesOf(from, text), phrasesOf(to, text)]
  if (froms === null || tos === null || froms.length === 0 || tos.length === 0) return null
  return froms.map((each) => ({ kind: 'expand_terms', from: each, to: [...tos] }))
}

/** `When asked about X, also search for Y.` Null without such a request. */
export function readAlso(items: readonly Item[], when: RuleCondition | null, text: string): Synonyms[] | null {
  const at = items.findIndex((item) => has(item, 'also') && !has(item, 'filler'))
  if (at < 0 || items.slice(0, at).some((item) => !has(item, 'filler', 'first', 'polite'))) return null
  const to = phrasesOf(items.slice(at + 1), text)
  if (!when?.terms || to === null || to.length === 0) return null
  return when.terms.map((from) => ({ kind: 'expand_terms', from, to: [...to] }))
}

/** Phrases between `and`, `or` and commas, in lower case, without words that name nothing. Null for a long one. */
function phrasesOf(items: readonly Item[], text: string): string[] | null {
  const runs: Item[][] = [[]]
  for (const item of items) {
    const run = runs.at(-1) ?? []
    if (item.isComma || has(item, 'and', 'or')) runs.push([])
    else if (item.isQuoted) runs.push([item], [])
    else if (has(item, 'ask', 'when_asked') && !isName(item)) continue
    else if (run.length > 0 || !has(item, 'filler', 'is', 'must', 'first', 'noise', 'possessive', 'polite', 'as'))
      run.push(item)
  }
  const trimmed = runs.map((run) => {
    const end = run.findLastIndex(
      (item) => item.isQuoted || !has(item, 'filler', 'is', 'must', 'possessive', 'as', 'for', 'polite', 'person'),
    )
    return run.slice(0, end + 1)
  })
  if (trimmed.some(({ length }) => length > MOST_WORDS)) return null
  const phrases = trimmed.flatMap(([first, ...rest]) => {
    const last = rest.at(-1)
    if (first === undefined) return []
    return [(last === undefined ? first.key : text.slice(first.start, last.end)).toLowerCase()]
  })
  return [...new Set(phrases)].filter(Boolean)
}
