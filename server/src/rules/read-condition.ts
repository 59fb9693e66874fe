import type { RuleCondition } from '@docent/contract/values/rule-effects'
import { has, type Item, isComma } from './annotate.ts'

/** Maximum terms of a condition. */
const MOST_TERMS = 20
const NOISE = ['about', 'when', 'when_end', 'filler', 'questions', 'for', 'is', 'in', 'must', 'use'] as const
const INSIDE = /[\p{L}\p{N}+#]/u

/** Reads `when asked about X or Y`, `for code example searches`, `if the question is in German`. Null if it has no terms. */
export function readCondition(items: readonly Item[], text: string): RuleCondition | null {
  const tools = items.flatMap(({ meaning }) => meaning.tool ?? [])
  if (tools.length > 0) return { tool: [...new Set(tools)] }
  const language = languageOf(items)
  if (language !== null) return { language }
  const terms = termsOf(items, text)
  return terms.length > 0 ? { terms } : null
}

/** The language in which the question is: `in German`, not `about German`. */
function languageOf(items: readonly Item[]): string | null {
  const at = items.findIndex(({ meaning }) => meaning.language !== undefined)
  const item = items[at]
  if (item?.meaning.language === undefined) return null
  const before = items[at - 1]
  const isAsked = has(before, 'in', 'is') || before?.key === 'auf' || before?.key === 'en' || items.length <= 3
  return isAsked ? item.meaning.language : null
}

/** The terms between the words that every condition has, split at `and`, `or` and commas. */
function termsOf(items: readonly Item[], text: string): string[] {
  const terms: string[] = []
  let from = -1
  let to = -1
  const push = () => {
    const term = from < 0 ? '' : withoutEdges(text.slice(from, to).toLowerCase())
    if (term !== '' && !terms.includes(term)) terms.push(term)
    from = -1
  }
  for (const item of items) {
    if (isComma(item) || has(item, 'and', 'or')) push()
    // Words such as `about` and `the` are noise before a term, and part of it inside.
    else if (isNoise(item)) {
      if (has(item, 'when', 'questions', 'when_end', 'about')) push()
    } else {
      if (item.isQuoted) push()
      if (from < 0) from = item.start
      to = item.end
      if (item.isQuoted) push()
    }
  }
  push()
  return terms.slice(0, MOST_TERMS)
}

/** Without punctuation around it. Items end at punctuation, so that there is little of it. */
function withoutEdges(text: string): string {
  const letters = [...text]
  const from = letters.findIndex((letter) => INSIDE.test(letter))
  const to = letters.findLastIndex((letter) => INSIDE.test(letter))
  return from < 0 ? '' : letters.slice(from, to + 1).join('')
}

function isNoise(item: Item): boolean {
  const { meaning, sources, isQuoted } = item
  if (isQuoted || sources.length > 0 || meaning.part || meaning.code || meaning.kind) return false
  return has(item, ...NOISE)
}
