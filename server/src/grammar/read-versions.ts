import type { Found, Named } from './found.ts'
import { has, type Item, numberOf } from './item.ts'

/** Half-life of a preference for recent pages without a period. */
const YEAR = 365
/** The version at an index: `v2`, `version 4`, the second number of `versions 3 and 4`, `latest`, `old` of a version. */
export function versionAt(
  items: readonly Item[],
  index: number,
  { isVersion, named }: { isVersion: boolean; named: Named },
): Found | null {
  const item = items[index]
  if (item === undefined) return null
  if (item.version !== null) return versionOf(item.version, named)
  if (has(item, 'latest')) return { of: 'version', version: 'latest', written: 'latest', globs: [], isKnown: false }
  const isBeside = isVersion || has(items[index - 1], 'version') || has(items[index + 1], 'version')
  if (/^\d+$/.test(item.key) && isBeside) return versionOf(item.key, named)
  return has(item, 'old') && isBeside && !isVersion
    ? { of: 'version', version: 'latest', written: 'old', globs: [], isKnown: false }
    : null
}

/** `x` means all versions of a line. */
export function versionOf(written: string, { places }: Named): Extract<Found, { of: 'version' }> {
  const version = written.replace(/^v(?=\d)/, '').replace(/\.[x*]$/, '')
  const globs = [...new Set([written, version, `v${version}`])].map((name) => `*/${name}/*`)
  const known = places ? globs.filter((glob) => places.has(glob)) : []
  return {
    of: 'version',
    version,
    written,
    globs: known.length > 0 ? known : globs.slice(0, 1),
    isKnown: known.length > 0,
  }
}

export function isCodeName(items: readonly Item[], index: number): boolean {
  return items[index]?.meaning.codeWithNoun !== undefined && has(items[index + 1], 'code')
}

/** `new pages`, `the last 6 months`, in days. Months add up to a year. */
export function ageOf(items: readonly Item[]): Found | null {
  const at = items.findIndex(({ meaning }) => meaning.days !== undefined)
  const isOld = items.some((item) => has(item, 'old'))
  const isAged = isOld || items.some((item) => has(item, 'recent'))
  const days = items[at]?.meaning.days
  if (days === undefined) return isAged ? { of: 'recent', halfLifeDays: isOld ? -YEAR : YEAR } : null
  const number = numberOf(items[at - 1])
  const isPast = items.some((item) => has(item, 'past', 'last'))
  if (!isPast && !isAged) return null
  const total = days === 30 && number === 12 ? YEAR : (number ?? 1) * days
  return { of: 'recent', halfLifeDays: isOld ? -total : total }
}
