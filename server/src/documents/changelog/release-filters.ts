import { isOfLine, parseRange, parseVersion, type Version } from '#lib/text/version.ts'
import { stemsOf } from '../term-overlap.ts'
import type { ReleaseHead, ReleaseNote } from './read-releases.ts'

const DAY = /^\d{4}-\d{2}-\d{2}$/
const LATEST = /^(?:latest|newest|current|last)$/i

/** Filters of releases. Absent ones do not filter. */
export type ReleaseFilters = {
  /** A version, a line such as `v3`, or `latest`. */
  version?: string | undefined
  /** Versions, as `parseRange` reads them: `>2.0`, `>=2.0 <3`, `^1.4`. */
  range?: string | undefined
  /** ISO 8601 day. */
  since?: string | undefined
  /** Words in the name of a component, or else in the text. */
  query?: string | undefined
}

/** True if the newest release is asked for. */
export function isLatest(version: string | undefined): boolean {
  return version !== undefined && LATEST.test(version)
}

type Test = (release: Pick<ReleaseHead, 'version' | 'date'>) => boolean

/** The test for version, range and day, or the first filter that cannot be read. */
export function releaseTest({ version, range, since }: ReleaseFilters): Test | 'version' | 'range' | 'since' {
  const wanted = version === undefined || isLatest(version) ? null : parseVersion(version.replace(/^.*@/, ''))
  if (version !== undefined && !isLatest(version) && wanted === null) return 'version'
  const isWithin = range === undefined ? null : parseRange(range)
  if (range !== undefined && isWithin === null) return 'range'
  if (since !== undefined && (!DAY.test(since) || Number.isNaN(Date.parse(since)))) return 'since'
  return (release) =>
    (wanted === null || (release.version !== null && isOfLine(release.version, wanted))) &&
    (isWithin === null || (release.version !== null && isWithin(release.version))) &&
    (since === undefined || (release.date !== null && release.date >= since))
}

/** Tests if a page about a version can describe the wanted one: it is of its line, or the other way round. */
export function relatedTo({ version }: ReleaseFilters): (own: Version) => boolean {
  const wanted = parseVersion(version?.replace(/^.*@/, '') ?? '')
  return (own) => wanted === null || isOfLine(own, wanted) || isOfLine(wanted, own)
}

/** Releases that the query names by words in the names of pages or components, and its other words, as stems. */
export function aboutNames(
  heads: readonly ReleaseHead[],
  query: string | undefined,
): { named: readonly ReleaseHead[]; telling: string[] } {
  if (query === undefined) return { named: heads, telling: [] }
  const nameOf = ({ page: { title, url }, component }: ReleaseHead) =>
    `${title} ${url.replaceAll(/[/_.-]/g, ' ')} ${component}`
  const names = new Map([...new Set(heads.map(nameOf))].map((name) => [name, stemsOf(name)]))
  const isOf = (term: string) => (each: ReleaseHead) => names.get(nameOf(each))?.has(term) === true
  const asked = [...stemsOf(query)]
  const naming = asked.filter((term) => heads.some(isOf(term)))
  const named = heads.filter((each) => naming.every((term) => isOf(term)(each)))
  return { named: named.length > 0 ? named : heads, telling: asked.filter((term) => !naming.includes(term)) }
}

/**
 * True if a text has all words. A stem is a prefix of its words, but for a last `i`, which can be a `y`, and for the `_` of
 * names. That is cheaper to find than the stems of a text.
 */
export function hasWords({ heading, text }: ReleaseNote, stems: readonly string[]): boolean {
  if (stems.length === 0) return true
  const words = `${heading} ${text}`.toLowerCase()
  const joined = words.replaceAll('_', '')
  return stems.every(
    (term) => words.includes(term) || joined.includes(term) || words.includes(term.replace(/(?<=.)i$/, 'y')),
  )
}
