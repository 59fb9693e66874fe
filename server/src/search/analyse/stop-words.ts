import lists from './stop-words.json' with { type: 'json' }

/** Words without content, by language (ISO 639-1). A word may be in several lists. */
const LISTS: readonly { language: string; words: ReadonlySet<string> }[] = Object.entries(lists).map(
  ([language, words]) => ({ language, words: new Set(words) }),
)
const ENGLISH: ReadonlySet<string> = new Set(lists.en)
/** True for an English word without content. Such words are indexed: a query for `if` alone still works. */
export function isStopWord(word: string): boolean {
  return ENGLISH.has(word.toLowerCase())
}

/** One word can also be a word of another language, but two rarely are. */
const LEAST = 2

/**
 * Function words of the question's language, in lower case, if it is one of the listed languages and not English.
 * Pages rarely contain the question words (`welche`, `combien`), so rarity alone would make them important.
 */
export function functionWordsOf(words: readonly string[]): ReadonlySet<string> {
  const counted = countListed([...new Set(words.map((word) => word.toLowerCase()))])
  const english = counted.find(({ language }) => language === 'en')?.count ?? 0
  const foreign = counted.find(({ language }) => language !== 'en')
  return foreign && foreign.count >= Math.max(LEAST, english + 1) ? foreign.words : new Set()
}

/** The language with the most function words among these words in lower case. Null if none has the most. */
export function languageOfWords(words: readonly string[]): string | null {
  const [first, second] = countListed(words)
  return first && second && first.count > second.count ? first.language : null
}

/** The lists with the number of these words that they have, most first. */
function countListed(given: readonly string[]) {
  return LISTS.map(({ language, words }) => ({
    language,
    words,
    count: given.reduce((sum, word) => sum + (words.has(word) ? 1 : 0), 0),
  })).toSorted((a, b) => b.count - a.count)
}
