import { SETTING_NAMES, givenNames } from '@docent/server/config.ts'
import type { Terminal } from '../terminal.ts'
import { editDistance } from './edit-distance.ts'
import { type Finding, ok, warning } from './finding.ts'

const CHECK = 'Settings'
/** Names with more differences are rarely the same word. */
const MOST_EDITS = 4

/** Finds variables that look like settings but are not, with the setting that was probably meant. */
export function checkSettings(given: readonly string[]): Finding[] {
  // Of the tests.
  const names = given.filter((name) => !name.startsWith('DOCENT_TEST_'))
  const unknown = names.filter((name) => !SETTING_NAMES.includes(name.replace(/_FILE$/, '')))
  if (unknown.length === 0)
    return [ok(CHECK, names.length === 0 ? 'all have their defaults' : names.toSorted().join(', '))]
  return unknown.map((name) => {
    const meant = suggest(name)
    const advice = meant ? `Did you mean ${meant}?` : 'docs/settings.md lists all settings.'
    return warning(CHECK, `${name} is not a setting and has no effect.`, advice)
  })
}

/** Prints a line for each variable that looks like a setting and has no effect. */
export function warnOfUnknownSettings({ environment, err }: Pick<Terminal, 'environment' | 'err'>): void {
  for (const { state, detail, advice } of checkSettings(givenNames(environment))) {
    if (state === 'warning') err(`${detail} ${advice}\n`)
  }
}

function suggest(name: string): string | null {
  const plain = name.replace(/_FILE$/, '')
  // `DOCENT_DATABASE_URL` is a common guess.
  const distance = (setting: string) =>
    Math.min(editDistance(plain, setting), editDistance(plain.replace(/^DOCENT_/, ''), setting))
  const [best] = SETTING_NAMES.map((setting) => ({ setting, edits: distance(setting) })).toSorted(
    (one, other) => one.edits - other.edits,
  )
  return best && best.edits <= MOST_EDITS ? best.setting : null
}
