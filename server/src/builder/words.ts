/** A word of a text, in lower case, with its place. */
export type Word = { text: string; start: number; end: number }

/** Words with inner marks, such as `page.goto`, `c#` and `step-by-step`. */
const WORD = /[\p{L}\p{N}_$@][\p{L}\p{N}_$@#+.’'/-]*/gu

export function wordsOf(text: string): Word[] {
  return [...text.matchAll(WORD)].map(({ 0: raw, index }) => {
    const word = withoutTrailing(raw)
    return { text: word.toLowerCase().replaceAll('’', "'"), start: index, end: index + word.length }
  })
}

/** The end of a sentence belongs to no word. */
function withoutTrailing(word: string): string {
  let end = word.length
  while (end > 1 && ".'’/-".includes(word.charAt(end - 1))) end--
  return word.slice(0, end)
}

/** Phrases as sequences of words. A word that ends in `*` stands for all that begin with it. */
export type Phrases = readonly (readonly string[])[]

/** Reads phrases separated by `|`. */
export function phrases(text: string): Phrases {
  return text.split('|').map((phrase) => phrase.trim().split(' '))
}

/** Number of words of the longest phrase that begins at this word, or 0. */
export function lengthAt(words: readonly Word[], at: number, list: Phrases): number {
  let longest = 0
  for (const phrase of list) {
    if (phrase.length > longest && phrase.every((part, index) => isWord(words[at + index]?.text, part)))
      longest = phrase.length
  }
  return longest
}

/** The phrases of a list that occur in the text, in the text's spelling. */
export function occurring(words: readonly Word[], list: Phrases): Set<string> {
  const found = new Set<string>()
  for (const at of words.keys()) {
    const length = lengthAt(words, at, list)
    if (length > 0)
      found.add(
        words
          .slice(at, at + length)
          .map(({ text }) => text)
          .join(' '),
      )
  }
  return found
}

function isWord(word: string | undefined, part: string): boolean {
  if (word === undefined) return false
  return part.endsWith('*') ? word.startsWith(part.slice(0, -1)) : word === part
}
