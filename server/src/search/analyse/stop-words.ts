import lists from './stop-words.json' with { type: 'json' }

/** Words without content, by language (ISO 639-1). A word may be in several lists. */
const LISTS: readonly { language: string; words: ReadonlySet<string> }[] = Object.entries(lists).map(
  ([language, words]) => ({ language, words: new Set(words) }),
)
const ENGLISH: ReadonlySet<string> = new Set(lists.en)
const FOREIGN = LISTS.filter(({ language }) => language !== 'en')

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
  const lower = [...new Set(words.map((word) => word.toLowerCase()))]
  let best: ReadonlySet<string> = new Set()
  let most = Math.max(LEAST - 1, lower.filter(isStopWord).length)
  for (const { words: list } of FOREIGN) {
    const count = lower.filter((word) => list.has(word)).length
    if (count <= most) continue
    most = count
    best = list
  }
  return best
}

/** The language with the most function words among these words in lower case. Null if none has the most. */
export function languageOfWords(words: readonly string[]): string | null {
  const [first, second] = LISTS.map(({ language, words: list }) => ({
    language,
    count: words.filter((word) => list.has(word)).length,
  })).toSorted((a, b) => b.count - a.count)
  return first && second && first.count > second.count ? first.language : null
}
