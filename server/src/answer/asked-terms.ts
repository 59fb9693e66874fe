import { functionWordsOf } from '#search/analyse/function-words.ts'
import { isStopWord } from '#search/analyse/stop-words.ts'
import type { Found } from './found.ts'
import { languageOf } from './language-of.ts'
import { asksHowMuch, questionTerms, scanTerms, termsOf } from './terms.ts'
import { TERM } from './weights.ts'

/** The terms of a question. A term that is rarer among the searched pages weighs more. */
export type AskedTerms = {
  language: string
  /** How a language forms words. With endings and compounds, or without spaces, fewer of them match than in English. */
  forms: 'none' | 'endings' | 'script'
  /** Whether the answer is a number: `How many …?` */
  wantsNumber: boolean
  weights: ReadonlyMap<string, number>
}

/** Characters of the best passages from which to tell the language. */
const SAMPLE = 1_000

export function askedTerms(question: string, { words, passages }: Pick<Found, 'words' | 'passages'>): AskedTerms {
  const spoken: string[] = question.match(/\p{L}+/gu) ?? []
  const isForeign = functionWordsOf(spoken).size > 0
  const sample = passages.slice(0, 2).map(({ passage }) => passage.slice(0, SAMPLE))
  const language = languageOf(sample.join(' ')) ?? languageOf(question, isForeign ? 1 : undefined) ?? 'en'
  // An English question can be asked of pages in another language.
  const isEnglish = !isForeign && spoken.some(isStopWord)
  const forms = /(?!\p{Script=Latin})\p{L}/u.test(question)
    ? 'script'
    : language !== 'en' && !isEnglish
      ? 'endings'
      : 'none'
  const shares = new Map<string, number>()
  for (const { word, share: known } of words)
    for (const term of termsOf(word, language)) shares.set(term, Math.max(known, shares.get(term) ?? 0))
  const rarest = Math.min(...shares.values(), 1)
  const weightOf = (term: string) => Math.log1p(1 / ((shares.get(term) ?? rarest) + TERM.leastShare))
  const wantsNumber = asksHowMuch(question)
  return {
    language,
    forms,
    wantsNumber,
    weights: new Map(questionTerms(question, language).map((term) => [term, weightOf(term)])),
  }
}

/** The question terms found in a text. */
export function coveredTerms(text: string, asked: AskedTerms): Set<string> {
  const { language, forms, weights } = asked
  const found = new Set<string>()
  const compounds = forms === 'endings' ? [...weights.keys()].filter((term) => term.length >= TERM.leastAlike) : []
  scanTerms(text, language, (term) => {
    if (weights.has(term)) found.add(term)
    if (term.length < TERM.leastAlike) return
    for (const one of compounds) if (!found.has(one) && isAlike(term, one)) found.add(one)
  })
  return found
}

/** True for forms of one word, such as `palästinensisch` and `palästinensischen`, and for a compound with the term. */
function isAlike(word: string, term: string): boolean {
  if (word.includes(term)) return true
  const most = Math.min(word.length, term.length)
  let same = 0
  while (same < most && word.charCodeAt(same) === term.charCodeAt(same)) same++
  return same >= TERM.leastAlike && same >= TERM.alike * Math.max(word.length, term.length)
}

/** Weighted share of the question, 0 to 1, covered by a set of its terms. */
export function shareOf(terms: ReadonlySet<string>, { weights }: AskedTerms): number {
  let whole = 0
  let part = 0
  for (const [term, weight] of weights) {
    whole += weight
    if (terms.has(term)) part += weight
  }
  return whole === 0 ? 0 : part / whole
}
