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
  const given = [...new Set(words.map((word) => word.toLowerCase()))]
  let [english, most, foreign] = [0, 0, NONE]
  for (const { language, words: listed } of LISTS) {
    const count = countIn(listed, given)
    if (language === 'en') english = count
    else if (count > most) [most, foreign] = [count, listed]
  }
  return most >= Math.max(LEAST, english + 1) ? foreign : NONE
}

const NONE: ReadonlySet<string> = new Set()

function countIn(listed: ReadonlySet<string>, given: readonly string[]): number {
  let count = 0
  for (const word of given) if (listed.has(word)) count++
  return count
}

/** The language with the most function words among these words in lower case. Null if none has the most. */
export function languageOfWords(words: readonly string[]): string | null {
  const counted = LISTS.map(({ language, words: listed }) => ({ language, count: countIn(listed, words) }))
  const [first, second] = counted.toSorted((a, b) => b.count - a.count)
  return first && second && first.count > second.count ? first.language : null
}
