import { scanWords } from '#search/analyse/scan-words.ts'
import { isStopWord } from '#search/analyse/stop-words.ts'
import { createWordAnalyser, ANSWER_WORDS, type WordAnalyser } from '#search/analyse/word-analyser.ts'

/** An analyser that remembers its words, for several texts. */
export const createStemmer = (): WordAnalyser => createWordAnalyser('en', ANSWER_WORDS)

/** Distinct stems of a text without stop words, or with them if nothing else remains. */
export function stemsOf(text: string, analyse: WordAnalyser = createStemmer()): Set<string> {
  const all = new Set<string>()
  const telling = new Set<string>()
  scanWords(text, 0, text.length, (start, end) => {
    const raw = text.slice(start, end)
    const { term } = analyse(raw)
    if (term === '') return
    all.add(term)
    if (!isStopWord(raw)) telling.add(term)
  })
  return telling.size > 0 ? telling : all
}

/** Share of `asked`, 0 to 1, found in a text. */
export function overlap(asked: ReadonlySet<string>, text: string): number {
  if (asked.size === 0) return 0
  return asked.intersection(stemsOf(text)).size / asked.size
}
