import type { Passage } from '#search/passage.ts'
import { questionTerms, termsOf } from './terms.ts'
import { unitsOf } from './units.ts'

/**
 * Shares of a sentence's telling words that the passage must have: of all of them, and of those that the question does
 * not have already. Half of the new words may be the writer's own, since a sentence that sums up uses some.
 */
const ALL_WORDS = 0.6
/** The same for a passage that the sentence does not cite: there chance has more passages to choose from. */
const ALL_WORDS_UNCITED = 0.85
const NEW_WORDS = 0.5
/** Of a block of code, the lines that the passage must have. Comments and an import may be the writer's own. */
const CODE_LINES = 0.8

/** Of a sentence's telling words, those that a sentence of the passage must have to be taken for the same one. */
const SAME_SENTENCE = 0.75

const NEGATION = /\b(?:not|never|no|none|nor|neither|cannot|without)\b|n['’]t\b/i

/** What a passage says, ready to be compared. */
export type Evidence = {
  terms: ReadonlySet<string>
  text: string
  sentences: { terms: ReadonlySet<string>; negated: boolean }[]
}

export function evidenceOf({ title, heading, passage }: Passage): Evidence {
  const text = `${title}\n${heading}\n${passage}`
  const sentences = unitsOf(passage).map(({ start, end }) => {
    const said = passage.slice(start, end)
    return { terms: new Set(termsOf(said)), negated: NEGATION.test(said) }
  })
  return { terms: new Set(termsOf(text)), text: squeeze(text), sentences }
}

/**
 * Whether a passage bears a sentence out, as far as words can tell: it has enough of the sentence's words, and each of
 * its hard facts (numbers, code, names, addresses) to the letter, and does not deny it. Facts of the question may be
 * repeated.
 */
export function bearsOut(
  sentence: string,
  { terms, text, sentences }: Evidence,
  { question, isCited }: { question: Evidence; isCited: boolean },
): boolean {
  const known = (fact: string) => hasFact(text, fact) || hasFact(question.text, fact)
  if (!factsOf(sentence).every(known)) return false
  const words = questionTerms(sentence)
  const fresh = words.filter((word) => !question.terms.has(word))
  const has = (word: string) => terms.has(word)
  if (share(words, has) < (isCited ? ALL_WORDS : ALL_WORDS_UNCITED) || share(fresh, has) < NEW_WORDS) return false
  return !turnsRound(sentence, words, sentences)
}

/**
 * Whether a sentence says no where those that it repeats say yes, or the other way round. Only where it clearly is one
 * of the passage's own sentences in other words.
 */
function turnsRound(sentence: string, words: readonly string[], sentences: Evidence['sentences']): boolean {
  const shares = sentences.map(({ terms }) => share(words, (word) => terms.has(word)))
  const most = Math.max(...shares, 0)
  if (words.length < 2 || most < SAME_SENTENCE) return false
  const negated = NEGATION.test(sentence)
  return sentences.every((one, index) => (shares[index] ?? 0) < most || one.negated !== negated)
}

/** Whether a block of code stands in a passage, line by line. */
export function bearsOutCode(code: string, { text }: Evidence): boolean {
  const lines = code.split('\n').map(squeeze).filter(Boolean)
  return lines.length > 0 && share(lines, (line) => text.includes(line)) >= CODE_LINES
}

/** Numbers, inline code, addresses, identifiers and names: what cannot be put into other words. */
function factsOf(sentence: string): string[] {
  const facts: string[] = []
  let rest = sentence
  for (const pattern of FACTS) {
    rest = rest.replaceAll(pattern, (found, inner?: string) => {
      facts.push(squeeze(typeof inner === 'string' ? inner : found))
      return ' '
    })
  }
  return facts.filter((fact) => /[\p{L}\p{N}]/u.test(fact))
}

const FACTS: readonly RegExp[] = [
  /`([^`\n]+)`/g,
  /https?:\/\/[^\s)\]>"']*[^\s)\]>"'.,;:!?]/gi,
  // Identifiers: joined by dots, underscores, slashes, or of letters of both cases inside.
  /(?:--?)?(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?:[._/][\p{L}\p{N}]+)+|(?<![\p{L}\p{N}_])\p{Ll}+\p{Lu}[\p{L}\p{N}]*/gu,
  /\p{N}+(?:[.,]\p{N}+)*/gu,
  // Names: words with a capital that do not begin the sentence.
  /\p{Lu}(?<=[\p{L}\p{N},;:)]\s+\p{Lu})[\p{L}\p{N}]{2,}/gu,
]

/** A number must not be found inside a longer one. */
function hasFact(text: string, fact: string): boolean {
  if (!/^[\p{N}.,]+$/u.test(fact)) return text.includes(fact)
  for (let at = text.indexOf(fact); at >= 0; at = text.indexOf(fact, at + 1)) {
    if (!/[\p{N}]/u.test(text.charAt(at - 1)) && !/\p{N}/u.test(text.charAt(at + fact.length))) return true
  }
  return false
}

function squeeze(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().toLowerCase()
}

/** 1 where there is nothing to be counted. */
function share<T>(all: readonly T[], test: (one: T) => boolean): number {
  return all.length === 0 ? 1 : all.filter(test).length / all.length
}
