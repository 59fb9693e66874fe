import { elementAt } from '#lib/element-at.ts'
import type { Passage } from '#search/passage.ts'
import { questionTerms, termsOf } from './asked-terms.ts'
import { unitsOf } from './units.ts'

/**
 * Minimum shares of a sentence's content words found in the passage: of all words, and of the words not in the
 * question. Half of the new words may be the writer's, because summaries add some.
 */
const ALL_WORDS = 0.6
/** Threshold for a passage that the sentence does not cite. Higher, because more passages can match by chance. */
const ALL_WORDS_UNCITED = 0.85
const NEW_WORDS = 0.5
/** Minimum share of the lines of a code block found in the passage. Comments and an import may be the writer's. */
const CODE_LINES = 0.8

/** Minimum share of content words in common for two sentences to count as the same sentence. */
const SAME_SENTENCE = 0.75

const NEGATION = /\b(?:not|never|no|none|nor|neither|cannot|without)\b|n['’]t\b/i

/** Preprocessed passage for comparison. */
export type Evidence = {
  terms: ReadonlySet<string>
  text: string
  sentences: { terms: ReadonlySet<string>; negated: boolean }[]
}

type Text = Pick<Passage, 'title' | 'heading' | 'passage' | 'blocks'>

export function evidenceOf({ title, heading, passage, blocks }: Text): Evidence {
  const text = `${title}\n${heading}\n${passage}`
  const sentences = unitsOf(passage, blocks).map(({ start, end }) => {
    const said = passage.slice(start, end)
    return { terms: new Set(termsOf(said)), negated: NEGATION.test(said) }
  })
  return { terms: new Set(termsOf(text)), text: squeeze(text), sentences }
}

/**
 * True if a passage supports a sentence, judged by words. The passage must have enough of the sentence's words, contain
 * each of its facts (numbers, code, names, URLs) literally, and not contradict it. A sentence may repeat facts of the
 * question.
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
 * True if a sentence negates the passage sentences it repeats, or the reverse. Checked only if it clearly paraphrases
 * one of the passage's sentences.
 */
function turnsRound(sentence: string, words: readonly string[], sentences: Evidence['sentences']): boolean {
  const shares = sentences.map(({ terms }) => share(words, (word) => terms.has(word)))
  const most = Math.max(...shares, 0)
  if (words.length < 2 || most < SAME_SENTENCE) return false
  const negated = NEGATION.test(sentence)
  return sentences.every((one, index) => elementAt(shares, index) < most || one.negated !== negated)
}

/** True if a passage contains a code block, compared line by line. */
export function bearsOutCode(code: string, { text }: Evidence): boolean {
  const lines = code.split('\n').map(squeeze).filter(Boolean)
  return lines.length > 0 && share(lines, (line) => text.includes(line)) >= CODE_LINES
}

/** Numbers, inline code, URLs, identifiers and names: these cannot be paraphrased. */
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
  // Identifiers: joined by dots, underscores or slashes, or in mixed case.
  /(?:--?)?(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?:[._/][\p{L}\p{N}]+)+|(?<![\p{L}\p{N}_])\p{Ll}+\p{Lu}[\p{L}\p{N}]*/gu,
  /\p{N}+(?:[.,]\p{N}+)*/gu,
  // Names: capitalised words inside a sentence.
  /\p{Lu}(?<=[\p{L}\p{N},;:)]\s+\p{Lu})[\p{L}\p{N}]{2,}/gu,
]

/** Matches a number only as a whole, never inside a longer one. */
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

/** Returns 1 for an empty list. */
function share<T>(all: readonly T[], test: (one: T) => boolean): number {
  return all.length === 0 ? 1 : all.filter(test).length / all.length
}
