import { readFileSync } from 'node:fs'
import { dataAt } from '#lib/place.ts'

const COMMON: ReadonlySet<string> = new Set(
  readFileSync(dataAt('auth/common-passwords.txt'), 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .split(/\s/),
)

/** Fewer different characters are as easy to guess as a common password: `aaaaaaaaaa`, `1212121212`. */
const LEAST_CHARACTERS = 4

/** True for passwords that are among the first guesses, in any case. */
export function isCommonPassword(password: string): boolean {
  const plain = password.toLowerCase()
  return COMMON.has(plain) || new Set(plain).size < LEAST_CHARACTERS
}
