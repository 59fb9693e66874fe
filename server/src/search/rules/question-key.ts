import { isStopWord, functionWordsOf } from '#search/analyse/stop-words.ts'
import { scanWords } from '#search/analyse/scan-words.ts'
import { createWordAnalyser, DEFAULT_LANGUAGE, QUESTION_WORDS } from '#search/analyse/word-analyser.ts'

/** Characters of a question that are read, as many as `ask_question` accepts. */
const MOST_CHARS = 4_000

/** Words that give a direction or deny. They belong to the next term: CSV to JSON is not JSON to CSV. */
const BINDING = new Set(['from', 'into', 'than', 'before', 'after', 'not', 'no', 'never', 'without'])
/** Signs that distinguish names (`C++`, `C#`) and operators (`=>`). */
const SIGNS = /[+#*=<>&|^~%@{}[\]\\]+|--+/g

/**
 * Creates the key of questions: the set of their content terms, in any order and inflection, without the words that have
 * no content. Terms are those of the index, stemmed as English. A question without any is compared as typed, without
 * case and extra spaces.
 */
export function createQuestionKeys(): (question: string) => string {
  const analyse = createWordAnalyser(DEFAULT_LANGUAGE, QUESTION_WORDS)
  return (question) => {
    const text = question.slice(0, MOST_CHARS)
    const words: string[] = []
    scanWords(text, 0, text.length, (start, end) => words.push(text.slice(start, end)))
    const foreign = functionWordsOf(words)
    const terms = new Set<string>(text.match(SIGNS))
    let bound = ''
    let isAfterTerm = false
    for (const raw of words) {
      const word = raw.toLowerCase()
      // Before a verb, `to` says nothing: how to install.
      if (BINDING.has(word) || (word === 'to' && isAfterTerm)) bound += `${word} `
      const isContent = !isStopWord(word) && !foreign.has(word) && !BINDING.has(word)
      const { term } = isContent ? analyse(raw) : { term: '' }
      isAfterTerm = term !== ''
      if (!isAfterTerm) continue
      terms.add(bound + term)
      bound = ''
    }
    return terms.size > 0 ? [...terms].toSorted().join('\n') : ` ${text.trim().replaceAll(/\s+/g, ' ').toLowerCase()}`
  }
}
