import { analyse } from 'scslre'
import type { AllowedRegex } from './allowed-regexes.ts'
import { attackRegex } from './attack-regex.ts'
import type { FoundRegex } from './read-regexes.ts'

/**
 * Expressions that take more than linear time and are not allowed, one line each, and unused entries of the list. Two
 * methods, because each finds what the other misses: `scslre` analyses repetition of one character; attacks measure
 * repetition of whole words.
 */
export function findSlowRegexes(found: readonly FoundRegex[], allowed: readonly AllowedRegex[]): string[] {
  const unused = new Set(allowed)
  const verdicts = new Map<string, string | null>()
  const slow = found.flatMap(({ file, line, source, flags }) => {
    if (source === null) return [`${file}:${line} is put together in a way that cannot be checked.`]
    const key = `/${source}/${flags}`
    const known = verdicts.get(key)
    const verdict = known === undefined ? verdictOf(source, flags) : known
    verdicts.set(key, verdict)
    const entry = allowed.find((each) => each.file === file && each.source === source)
    if (verdict === null) return []
    if (entry) unused.delete(entry)
    return entry ? [] : [`${file}:${line} ${key} takes more than linear time ${verdict}.`]
  })
  return [...slow, ...[...unused].map(({ file, source }) => `${file} has no slow /${source}/ any more: unlist it.`)]
}

/** A description of texts on which an expression takes more than linear time, or null if none was found. */
function verdictOf(source: string, flags: string): string | null {
  // A sticky expression is tried at one position only.
  const placed = flags.includes('y') ? `(?<![^])(?:${source})` : source
  const [report] = analyse({ source: placed, flags: flags.replaceAll(/[yg]/g, '') }, { maxReports: 1 }).reports
  if (report) {
    const { literal } = report.character
    const shown = new RegExp(literal.source, literal.flags).toString()
    return report.exponential ? `(exponential) on many of ${shown}` : `on many of ${shown}`
  }
  const pattern = new RegExp(source, flags)
  const attack = attackRegex(pattern)
  if (!attack) return null
  const shown = `${JSON.stringify(attack.start)} + many of ${JSON.stringify(attack.pump)} + ${JSON.stringify(attack.end)}`
  return `on ${shown}: ${attack.milliseconds.toFixed(1)} ms for ${attack.length} characters`
}
