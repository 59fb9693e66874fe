import { askedKeys } from '#search/catalogue/name-key.ts'

/** Code, options, and words that are told from others by how they are written: `work_mem`, `core.editor`, `useState`, `Vec::drain`. */
const NAME =
  /`([^`\n]{1,120})`|(?<![\w-])(--?[a-z][\w-]+)|(?<![\w$./@-])([A-Za-z_$][\w$]*(?:(?:[._#]|::|->)[\w$]+|[a-z][A-Z][\w$]*)(?:[\w.$#]|::|->(?=\w))*)/g

/** The names in a question, as headings that are about them are looked up. A word of the language is none. */
export function namesIn(question: string): Set<string> {
  const names = new Set<string>()
  for (const [, code, option, word] of question.matchAll(NAME)) {
    const name = (code ?? option ?? word ?? '').replace(/(?<![.?!])[.?!]+$/, '')
    for (const key of askedKeys(name).whole) names.add(key)
  }
  return names
}
