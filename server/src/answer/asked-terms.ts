import type { Found } from './found.ts'
import { languageOf } from './language-of.ts'
import { questionTerms, scanTerms, termsOf } from './terms.ts'

/** The terms of a question. A term that is rarer among the searched pages weighs more. */
export type AskedTerms = { language: string; weights: ReadonlyMap<string, number> }

/** Keeps a word found on no page from outweighing all others together. */
const LEAST_SHARE = 0.002

/** Characters of the best passages from which to tell the language. */
const SAMPLE = 1_000

export function askedTerms(question: string, { words, passages }: Pick<Found, 'words' | 'passages'>): AskedTerms {
  const sample = passages.slice(0, 2).map(({ passage }) => passage.slice(0, SAMPLE))
  const language = languageOf([question, ...sample].join(' '))
  const shares = new Map<string, number>()
  for (const { word, share: known } of words)
    for (const term of termsOf(word, language)) shares.set(term, Math.max(known, shares.get(term) ?? 0))
  const rarest = Math.min(...shares.values(), 1)
  const weightOf = (term: string) => Math.log1p(1 / ((shares.get(term) ?? rarest) + LEAST_SHARE))
  return { language, weights: new Map(questionTerms(question, language).map((term) => [term, weightOf(term)])) }
}

/** The question terms found in a text. */
export function coveredTerms(text: string, { language, weights }: AskedTerms): Set<string> {
  const found = new Set<string>()
  scanTerms(text, language, (term) => {
    if (weights.has(term)) found.add(term)
  })
  return found
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
