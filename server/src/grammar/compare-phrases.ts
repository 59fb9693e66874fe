import { has, type Item } from './item.ts'
import { isContrast, isPlace } from './read-modifiers.ts'
import type { Resolved } from './found.ts'
import { isJoint } from './clause-words.ts'

/** A run of nouns, as offsets into its clause. `flipped`: it ranks lower. `step`: its place in an order. */
export type Phrase = { from: number; to: number; resolved: Resolved; flipped: boolean; step: number }

/** Marks the phrases after `over`, before `より`, and after `to` of `prefer A to B`; and the steps of an order. */
export function markFlipped(items: readonly Item[], phrases: Phrase[]): void {
  const prefers = items.findIndex((item) => has(item, 'prefers'))
  let [flipped, step, isLeading] = [false, 0, true]
  for (const [place, phrase] of phrases.entries()) {
    const start = phrases[place - 1]?.to ?? 0
    for (let index = start; index < phrase.from; index++) {
      const item = items[index]
      if (isFlip(items, index)) flipped = true
      else if (flipped && isLeading && place > 0 && (has(item, 'use', 'up') || item?.isComma)) flipped = false
      // `statt des Wikis die Dokumentation`
      else if (flipped && isLeading && place > 0 && index === start && has(item, 'article') && !has(item, 'in'))
        flipped = false
      const isTo = has(item, 'to') && prefers >= 0 && prefers < index && place > 0 && index + 2 >= phrase.from
      if (isTo && phrases[place - 1]?.resolved !== null) flipped = true
      if (has(item, 'then') && place > 0) step++
    }
    phrase.flipped = flipped
    phrase.step = step
    const end = phrases[place + 1]?.from ?? items.length
    // `A first and B second`
    const isLate =
      place > 0 &&
      step === (phrases[place - 1]?.step ?? 0) &&
      items.slice(phrase.to, end).some((item) => has(item, 'then'))
    if (isLate && phrases[place + 1] === undefined) phrase.step = ++step
    if (items.slice(phrase.to, end).some((item) => has(item, 'flip_after')))
      flipBack(items, phrases.slice(0, place + 1))
    if (!flipped) isLeading = false
  }
  markChain(items, phrases)
}

/** `A over B over C`: an order, each name above the next. */
function markChain(items: readonly Item[], phrases: Phrase[]): void {
  const between = phrases.slice(1).map((phrase, place) => items.slice(phrases[place]?.to ?? 0, phrase.from))
  const isOver = between.map((run) => run.some((item) => has(item, 'flip')) && !run.some(isJoint))
  if (isOver.length < 2 || !isOver.every(Boolean)) return
  for (const [step, phrase] of phrases.entries()) Object.assign(phrase, { flipped: false, step })
}

/** Flips the last phrase, and those joined with it: `BとCよりAを`. */
function flipBack(items: readonly Item[], phrases: readonly Phrase[]): void {
  for (const [index, phrase] of phrases.toReversed().entries()) {
    phrase.flipped = true
    const between = items.slice(phrases.at(-index - 2)?.to ?? 0, phrase.from)
    const isJoined = between.some((item) => isJoint(item) || has(item, 'or'))
    if (!isJoined || !between.every((item) => isJoint(item) || has(item, 'or', 'filler'))) return
  }
}

/** `over`, `rather than`, or a negation before a name and after a predicate: `not the old ones`. */
function isFlip(items: readonly Item[], index: number): boolean {
  return has(items[index], 'flip') ? !isPlace(items, index) : has(items[index], 'not') && isContrast(items, index)
}
