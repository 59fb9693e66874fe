import { readFileSync } from 'node:fs'
import { stemmer as arabic } from '@orama/stemmers/arabic'
import { stemmer as danish } from '@orama/stemmers/danish'
import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as finnish } from '@orama/stemmers/finnish'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as hungarian } from '@orama/stemmers/hungarian'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as norwegian } from '@orama/stemmers/norwegian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as romanian } from '@orama/stemmers/romanian'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { stemmer as swedish } from '@orama/stemmers/swedish'
import { stemmer as turkish } from '@orama/stemmers/turkish'

type Stem = (word: string) => string

/** Snowball stemmers by ISO 639-1 code. Words of other languages stay unchanged. */
const stemmers = new Map<string, Stem>([
  ['ar', arabic],
  ['da', danish],
  ['nl', dutch],
  ['en', english],
  ['fi', finnish],
  ['fr', french],
  ['de', german],
  ['hu', hungarian],
  ['it', italian],
  ['no', norwegian],
  ['nb', norwegian],
  ['nn', norwegian],
  ['pt', portuguese],
  ['ro', romanian],
  ['ru', russian],
  ['es', spanish],
  ['sv', swedish],
  ['tr', turkish],
])

/** Most documentation without a declared language is in English. */
export const DEFAULT_LANGUAGE = 'en'

const keep: Stem = (word) => word

/** The stemmer of a language for lower-case words. Takes an ISO 639-1 code with or without a region. */
export function stemmerFor(language: string | null): Stem {
  const code = (language ?? DEFAULT_LANGUAGE).slice(0, 2).toLowerCase()
  return stemmers.get(code) ?? keep
}

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
