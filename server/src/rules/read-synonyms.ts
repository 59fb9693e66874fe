import type { RuleEffect } from '@docent/contract/values/rule-effects'
import { has, isName, type Item } from '#grammar/annotate.ts'

type Synonyms = Extract<RuleEffect, { kind: 'expand_terms' }>

/** Reads `treat X as Y`, `X and Y are synonyms` and `X means Y`. Null if the clause is about something else. */
export function readSynonyms(items: readonly Item[], text: string): Synonyms[] | null {
  const same = items.findIndex((item) => has(item, 'same'))
  const treat = items.findIndex((item) => has(item, 'treat'))
  if (same > 0) {
    const words = phrasesOf(items.slice(Math.max(0, treat + 1), same), text)
    if (words.length < 2) return null
    return words.map((from) => ({ kind: 'expand_terms', from, to: words.filter((other) => other !== from) }))
  }
  // `Treat the forum as secondary` is about the forum.
  if (treat === 0 && !items.some(isName) && items.some((item, index) => index > 0 && has(item, 'as')))
    return pairs(items.slice(1), text)
  const means = items.findIndex((item) => has(item, 'means') && !has(item, 'about'))
  const isPlain = !items.slice(0, means).some((item) => has(item, 'up', 'down', 'exclude', 'only'))
  return means > 0 && isPlain ? expand(items.slice(0, means), items.slice(means + 1), text) : null
}

/** `k8s as kubernetes and auth as authentication`: a pair begins after the last `and` or comma before its `as`. */
function pairs(items: readonly Item[], text: string): Synonyms[] | null {
  const marks = items.flatMap((item, index) => (has(item, 'as') ? index : []))
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
  return found.every((each) => each !== null) ? found.flat() : null
}

function expand(from: readonly Item[], to: readonly Item[], text: string): Synonyms[] | null {
  const [froms, tos] = [phrasesOf(from, text), phrasesOf(to, text)]
  if (froms.length === 0 || tos.length === 0) return null
  return froms.map((each) => ({ kind: 'expand_terms', from: each, to: [...tos] }))
}

/** Phrases between `and`, `or` and commas, in lower case, without articles at their start. */
export function phrasesOf(items: readonly Item[], text: string): string[] {
  const runs: Item[][] = [[]]
  for (const item of items) {
    const run = runs.at(-1) ?? []
    if (item.isComma || has(item, 'and', 'or')) runs.push([])
    else if (item.isQuoted) runs.push([item], [])
    else if (run.length > 0 || !has(item, 'filler', 'is', 'must', 'about', 'first')) run.push(item)
  }
  const phrases = runs.flatMap(([first, ...rest]) => {
    const last = rest.at(-1)
    if (first === undefined) return []
    return [(last === undefined ? first.key : text.slice(first.start, last.end)).toLowerCase()]
  })
  return [...new Set(phrases)].filter(Boolean)
}
