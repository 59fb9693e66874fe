import type { ActiveRules } from './active-rules.ts'
import { keyOf } from './rule-condition.ts'

/** Words that rules add to a question, by the word of the question that they stand for. */
export type AddedWords = readonly { from: string; to: string }[]

/** Maximum words added to one question. */
const MOST_ADDED = 12

/** The synonyms of words in the question. Each effect replaces a word or phrase that the question has. */
export function addedWords(query: string, { effects }: ActiveRules): AddedWords {
  const added: { from: string; to: string }[] = []
  let question: string | null = null
  for (const { effect, note } of effects) {
    if (effect.kind !== 'expand_terms') continue
    question ??= keyOf(query.slice(0, 2_000))
    const from = keyOf(effect.from)
    const isAsked = from === ' ' ? query.includes(effect.from) : question.includes(from)
    if (!isAsked) continue
    for (const to of effect.to) {
      if (added.length >= MOST_ADDED) break
      added.push({ from: effect.from, to })
      note.added.push(to)
    }
  }
  return added
}
