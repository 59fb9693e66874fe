import { scanWords } from '#search/analyse/scan-words.ts'
import { isStopWord } from '#search/analyse/stop-words.ts'
import { createWordAnalyser, ANSWER_WORDS } from '#search/analyse/word-analyser.ts'

/**
 * The language of a question is unknown, and terms are compared within one answer only. English stemming treats
 * question and passages alike.
 */
const wordOf = createWordAnalyser('en', ANSWER_WORDS)

/** Words of a text as in the search index: stemmed, identifiers whole and in parts. */
export function termsOf(text: string): string[] {
  const terms: string[] = []
  scanWords(text, 0, text.length, (start, end) => {
    const { term, joined, parts } = wordOf(text.slice(start, end))
    if (term !== '') terms.push(term, ...joined, ...parts)
  })
  return terms
}

/** Question phrases without content. */
const HOW_MUCH = /\bhow\s+(?:often|many|much|long|far|soon|big|large)\b/gi

/** Distinct terms of a question without stop words and question phrases, or all terms if nothing else remains. */
export function questionTerms(given: string): string[] {
  const question = given.replaceAll(HOW_MUCH, ' ')
  const all = new Set<string>()
  const content = new Set<string>()
  scanWords(question, 0, question.length, (start, end) => {
    const raw = question.slice(start, end)
    const { term } = wordOf(raw)
    if (term === '') return
    all.add(term)
    if (!isStopWord(raw)) content.add(term)
  })
  return [...(content.size > 0 ? content : all)]
}
