import { scanWords } from '#search/analyse/scan-words.ts'
import { isStopWord } from '#search/analyse/stop-words.ts'
import { createWordAnalyser, ANSWER_WORDS } from '#search/analyse/word-analyser.ts'

/**
 * The language of a question is not known, and both sides are compared within one answer only: English stemming for
 * all of them joins what it joins in the question and in the passages alike.
 */
const wordOf = createWordAnalyser('en', ANSWER_WORDS)

/** The words of a text as the search engine has them: stemmed, identifiers whole and in parts. */
export function termsOf(text: string): string[] {
  const terms: string[] = []
  scanWords(text, 0, text.length, (start, end) => {
    const { term, joined, parts } = wordOf(text.slice(start, end))
    if (term !== '') terms.push(term, ...joined, ...parts)
  })
  return terms
}

/** Asks for something and names nothing. */
const HOW_MUCH = /\bhow\s+(?:often|many|much|long|far|soon|big|large)\b/gi

/** The different terms of a question without the words that only make it one, or all when nothing else is there. */
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
