import type { Token } from './tokenise.ts'

/** The lists that have a phrase beginning at a word, with the words of the longest. */
export type FoundPhrases = ReadonlyMap<string, number>

/** Longest beginning of a word that is looked up. */
const MOST_STEM = 24

/** Creates a search in lists of phrases, separated by `|`. One that ends in `*` is the beginning of a phrase. */
export function phraseFinder(lists: Readonly<Record<string, string>>) {
  const known = new Map<string, string[]>()
  for (const [name, phrases] of Object.entries(lists))
    for (const phrase of phrases.split('|')) known.set(phrase, [...(known.get(phrase) ?? []), name])
  const mostWords = Math.max(...[...known.keys()].map((phrase) => phrase.split(' ').length))
  return (words: readonly Token[], at: number): FoundPhrases => {
    const found = new Map<string, number>()
    let before = ''
    for (const [index, { key }] of words.slice(at, at + mostWords).entries()) {
      const stems = Array.from({ length: Math.min(key.length, MOST_STEM) }, (_, end) => `${key.slice(0, end + 1)}*`)
      for (const last of [...stems, key]) for (const name of known.get(before + last) ?? []) found.set(name, index + 1)
      before += `${key} `
    }
    return found
  }
}
