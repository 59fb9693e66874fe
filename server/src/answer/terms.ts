/** The words of a text as the answerer compares them: in lower case, inflections cut, identifiers whole and in parts. */
export function termsOf(text: string): string[] {
  const terms: string[] = []
  for (const [word] of text.matchAll(/[\p{L}\p{N}_$]+/gu)) {
    terms.push(stem(word.toLowerCase()))
    if (!/[\p{Ll}\p{N}][\p{Lu}]|_/u.test(word)) continue
    for (const [part] of word.matchAll(/\p{Lu}?[\p{Ll}\p{N}]+|\p{Lu}+/gu)) terms.push(stem(part.toLowerCase()))
  }
  return terms
}

/** Of a question: its different terms without the words that only make it a question, or all when nothing is left. */
export function questionTerms(question: string): string[] {
  const all = [...new Set(termsOf(question))]
  const content = all.filter((term) => !QUESTION_WORDS.has(term))
  return content.length > 0 ? content : all
}

/** Plurals, -ing and -ed, no more: words are only compared within one answer, where little variety is to be bridged. */
function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word
  const singular = word.endsWith('ies')
    ? `${word.slice(0, -3)}y`
    : /(?:ss|us|is)$/.test(word)
      ? word
      : word.replace(/s$/, '')
  const root = singular.replace(/(?:ing|ed)$/, '')
  const short = root.length < 3 || !/[aeiouy]/.test(root) ? singular : root
  return short.replace(/([^aeiouylsz])\1$/, '$1').replace(/e$/, '')
}

const QUESTION_WORDS = new Set(
  (
    'a an the and or but if then than so of in on at to from for with without into by as about is are was were be been being do does did can could may might must should would will shall has have had having ' +
    'i you he she it we they me my your our their its this that these those there here what which who whom whose when where why how much many any some all ' +
    'not no please tell explain show give want need know make get use using way work happen mean difference between when whether also just only'
  )
    .split(' ')
    .map(stem),
)
