import { askedKeys } from '#documents/model/name-key.ts'
import { comparedSides } from './compared-sides.ts'

/**
 * Code, options, and words recognisable as identifiers by spelling: `work_mem`, `core.editor`, `useState`,
 * `Vec::drain`.
 */
const NAME =
  /`([^`\n]{1,120})`|(?<![\w-])(--?[a-z][\w-]+)|(?<![\w$./@-])([A-Za-z_$][\w$]*(?:(?:[._#]|::|->)[\w$]+|[a-z][A-Z][\w$]*)(?:[\w.$#]|::|->(?=\w))*)/g

/**
 * Extracts the names in a question, as keys for headings about them. Ordinary words are names only as the sides of a
 * comparison.
 */
export function namesIn(question: string): Set<string> {
  const names = new Set<string>()
  for (const [, code, option, word] of question.matchAll(NAME)) {
    const name = (code ?? option ?? word ?? '').replace(/(?<![.?!])[.?!]+$/, '')
    for (const key of askedKeys(name).whole) names.add(key)
  }
  const sides = comparedSides(question.trim())?.sides ?? []
  for (const side of sides) for (const key of askedKeys(side).whole) names.add(key)
  return names
}
