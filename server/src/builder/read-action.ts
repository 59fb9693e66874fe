import { has, type Item, splitAt } from '#grammar/item.ts'
import { isContent, isPlain, taskOf, thingOf } from './read-words.ts'

/** A part of a request that no tool can carry out, as written. `isWhole`: the request begins with it. */
export type Refusal = {
  text: string
  why: 'action' | 'unknown' | 'trigger' | 'outside' | 'forbidden'
  isWhole: boolean
}

const MOST_CHARACTERS = 60
/** Pieces between a verb of making and its object. */
const OBJECT = 5
const INTO = /^(?:into|onto|to)$/
/** What is told is not done: `say when it runs`. */
const TOLD = /^(?:when|whether|if|where|why|who|wann|ob|wo|wer|quand|si|qui|cuando|quien|quando|quem|se|dove|chi)$/
const SKIPPED = /^(?:and|also|then|it|me|them|und|auch|dann|et|aussi|y|tambien|e|tambem|anche|并|并且|and then)$/

const ARTICLE = /^(?:an?|the|our|my|his|her|their|all|each|every|die|den|das|le|la|les|el|los|las|o|os|as|il|lo|gli)$/
const JOINT = /^(?:and|und|et|y|e|ed|then|并|并且|和|て)$/

/** The first part of a request that asks for more than an answer, as in "send an email …", or null. */
export function findAction(prompt: string, sentences: readonly (readonly Item[])[]): Refusal | null {
  let isFirst = true
  for (const sentence of sentences) {
    // What is explained, such as how to run a job every day, is not done.
    const explained = sentence.findIndex((piece) => has(piece, 'howto'))
    const asked = explained < 0 ? sentence : sentence.slice(0, explained)
    for (const clause of splitAt(asked, (piece) => piece.isComma || JOINT.test(piece.key))) {
      const isWhole = isFirst
      isFirst = false
      const to = clause.at(-1)?.end
      const at = clause.findIndex((piece) => !has(piece, 'lead') && !SKIPPED.test(piece.key))
      const verb = clause[at]
      const isDone = verb !== undefined && isAction(clause, at, explained >= 0)
      if (verb !== undefined && (isDone || (explained < 0 && isUnknown(clause, at, isWhole))))
        return { text: shorten(prompt.slice(verb.start, to)), why: isDone ? 'action' : 'unknown', isWhole }
      for (const why of ['forbidden', 'trigger', 'outside'] as const) {
        const found = clause.find((piece) => has(piece, why))
        const from = why === 'forbidden' ? clause[0] : found
        if (found && from) return { text: shorten(prompt.slice(from.start, to)), why, isWhole: false }
      }
    }
  }
  return null
}

/** Verbs of making whose object is no text. */
const ACTS = /^(?:opens?|raises?|adds?|puts?|issue|check that|make sure|ensures?|text)$/

/** `Refund the transfer`: the English vocabulary has the verbs of telling. */
function isUnknown(clause: readonly Item[], at: number, isWhole: boolean): boolean {
  const [verb, article, ...object] = clause.slice(at)
  const isKnown = verb?.language !== 'en' && clause.some((piece) => thingOf(piece) !== null || taskOf(piece).length > 0)
  const isVerb = isPlain(verb) || (ACTS.test(verb?.key ?? '') && !has(article, 'something'))
  const isThing = (item: Item) =>
    isPlain(item) || (isPlain(verb) && isContent(item)) || (isWhole && isPlain(verb) && thingOf(item) === 'page')
  return isVerb && ARTICLE.test(article?.key ?? '') && object.some(isThing) && !isKnown
}

function isAction(clause: readonly Item[], at: number, isExplained: boolean): boolean {
  const verb = clause[at]
  // `write-ahead log`, `a message id`
  const isNoun = (piece: Item) => {
    const before = clause[clause.indexOf(piece) - 1]
    const isCompound = piece === clause.at(-1) && before?.key.includes('-') === true
    return piece.language === 'en' && (isCompound || has(before, 'a', 'the') || before?.key === 'per')
  }
  const isCore = (piece: Item) =>
    thingOf(piece) !== null || isNoun(piece) || taskOf(piece).some((task) => task !== 'version')
  const object = clause.slice(at + 1, at + OBJECT)
  if (
    has(verb, 'make') &&
    (object.some((piece) => has(piece, 'elsewhere')) || isInto(clause)) &&
    !object.some((piece) => has(piece, 'task checklist', 'task summary', 'task examples', 'task compare'))
  )
    return true
  if (has(verb, 'action') && !isCore(verb as Item)) return !has(verb, 'task steps')
  // Verbs come last in some languages and clauses.
  const last = clause.findLast((piece) => !has(piece, 'lead', 'filler', 'of') || has(piece, 'action'))
  if (!isExplained && last !== undefined && has(last, 'action') && /[\u3041-\u9fff]/.test(last.key)) return true
  const told = clause.findIndex((piece) => has(piece, 'which', 'task when') || TOLD.test(piece.key))
  const done = told < 0 ? clause : clause.slice(0, told)
  return (
    !isExplained &&
    done.some((piece) => has(piece, 'action') && !isCore(piece)) &&
    !clause.some((piece) => isCore(piece) || has(piece, 'form'))
  )
}

/** `put … into our wiki`, however long the object is. */
function isInto(clause: readonly Item[]): boolean {
  return clause.some((piece, at) => {
    const before = clause.slice(0, at).findLast((each) => !has(each, 'the'))
    return has(piece, 'elsewhere') && INTO.test(before?.key ?? '')
  })
}

function shorten(text: string): string {
  const line = text.trim()
  const start = line.charAt(0).toLowerCase() + line.slice(1)
  if (line.length <= MOST_CHARACTERS) return start
  const cut = start.slice(0, MOST_CHARACTERS)
  return `${cut.slice(0, Math.max(20, cut.lastIndexOf(' ')))} …`
}
