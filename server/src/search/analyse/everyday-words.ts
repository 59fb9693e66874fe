import { readFileSync } from 'node:fs'
import { stemmerFor } from './stem.ts'

const stem = stemmerFor('en')
const stems = new Set(
  readFileSync(new URL('everyday-stems.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .flatMap((line) => line.split(' ')),
)

/** True if a word of a question is a common English one in any inflection, and therefore not misspelt. */
export function isEverydayWord(raw: string): boolean {
  return stems.has(stem(raw.toLowerCase()))
}

/** True if two words share an English stem: singular and plural, or a verb and its `-ing` and `-ed`. */
export function isFormOf(word: string, other: string): boolean {
  return stem(word.toLowerCase()) === stem(other.toLowerCase())
}
