/**
 * `Adding Custom Rules` → `Adding custom rules`. In a heading whose words begin with capitals, those keep theirs that the
 * sentences of the page write so, and names such as `MySQL` and `FTS4`. Null if the heading itself is such a name.
 */
export function inSentenceCase(heading: string, text: string): string | null {
  const [first = '', ...rest] = heading.split(' ')
  const long = rest.filter((word) => word.length > 3 && /^[\p{L}'’?()]+$/u.test(word) && !SMALL.test(word))
  const isTitle = long.length > 0 ? long.filter(isCapital).length > long.length / 2 : rest.some(isCapital)
  if (isTitle && countOf(text, heading) > 0) return null
  const isShouted = heading === heading.toUpperCase()
  const cased = rest.map((word, at) => {
    const isAcronym = !isShouted && isInCapitals(word)
    const isName =
      isAcronym || isNamed(rest.slice(Math.max(0, at - 1), at + 1), text) || isNamed(rest.slice(at, at + 2), text)
    return isName ? word : caseInText(word, text, isTitle ? 'lower' : 'as is')
  })
  return [first, ...cased].join(' ')
}

/** True for `DNSKEY`, `MAX_PATH` and `URLs`. */
function isInCapitals(word: string): boolean {
  const letters = word.replaceAll(/\P{L}/gu, '').replace(/s$/, '')
  return letters.length > 1 && letters === letters.toUpperCase()
}

/** True if the sentences of a text write two words next to each other with capitals: `Certificate Authority`. */
function isNamed(pair: readonly string[], text: string): boolean {
  const [one, other] = pair
  if (one === undefined || other === undefined || !CAPITALISED.test(one) || !CAPITALISED.test(other)) return false
  const [words = ''] = /^.*[\p{L}\d]/su.exec(`${one} ${other}`) ?? []
  return countOf(text, words, true) > countOf(text, words.toLowerCase())
}

const isCapital = (word: string): boolean => /^[^\p{L}]*\p{Lu}/u.test(word)

const CAPITALISED = /^\p{Lu}\p{Ll}/u

/** A word as the sentences of a text write it. `unknown`: what becomes of a word that they do not have. */
export function caseInText(word: string, text: string, unknown: 'lower' | 'as is'): string {
  const lower = word.toLowerCase()
  if (lower === word || SMALL.test(word)) return lower
  // `I`, and a letter that stands for something.
  if (/^\p{Lu}\b/u.test(word)) return word
  if (/\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}|\d/u.test(word)) return word
  const [bare = word] = /[\p{L}\d-]+/u.exec(word) ?? []
  const [capitals, small] = [countOf(text, bare, true), countOf(text, bare.toLowerCase())]
  return capitals * 2 > small || (capitals + small === 0 && unknown === 'as is') ? word : lower
}

/** Words that have no capital within a heading. */
export const SMALL = /^(?:an?|the|and|or|but|nor|is|are|be|not|of|with|from|to|in|into|on|for|as|at|by|via|your|my)$/i

/** Occurrences of a word, or only those after another word, and so not at the begin of a sentence. */
export function countOf(text: string, word: string, isInside = false): number {
  let count = 0
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
    const isWhole = !/[\p{L}\d]/u.test(text.charAt(at - 1)) && !/[\p{L}\d]/u.test(text.charAt(at + word.length))
    if (isWhole && (!isInside || /[\p{L},] $/u.test(text.slice(Math.max(0, at - 2), at)))) count++
  }
  return count
}
