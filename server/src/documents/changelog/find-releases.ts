import { compareVersions, isOfLine, parseVersion, parseRange } from '#lib/text/version.ts'
import type { Library, Scope } from '../library.ts'
import { stemsOf } from '../term-overlap.ts'
import { type ReleaseNote, readReleases } from './read-releases.ts'

/** Maximum pages read per answer. The largest changelogs are one page; releases are one page each. */
const MOST_PAGES = 400
const LATEST = /^(?:latest|newest|current|last)$/i

/** Filters of releases. Absent ones do not filter. */
export type ReleaseFilters = {
  /** A version, a line such as `v3`, or `latest`. */
  version?: string | undefined
  range?: string | undefined
  /** ISO 8601 day. */
  since?: string | undefined
  query?: string | undefined
}

type Test = (release: ReleaseNote) => boolean

/** All descriptions of releases in a scope. */
export async function readReleaseNotes(library: Library, scope: Scope): Promise<ReleaseNote[]> {
  const read = async (kind: ReleaseNote['kind']) => {
    const pages = await library.pagesOf([kind], scope)
    return (await library.open(pages.slice(0, MOST_PAGES))).flatMap((page) => readReleases(page, kind))
  }
  const [releases, changelogs, migrations] = await Promise.all([read('release'), read('changelog'), read('migration')])
  const told = new Set(changelogs.map(({ page }) => page.url))
  // A changelog can also be titled as a guide.
  return [...releases, ...changelogs, ...migrations.filter(({ page }) => !told.has(page.url))]
}

/** The test for version, range and day, or the first filter that cannot be read. */
export function releaseTest({ version, range, since }: ReleaseFilters): Test | 'version' | 'range' | 'since' {
  const isLatest = version !== undefined && LATEST.test(version)
  const wanted = version === undefined || isLatest ? null : parseVersion(version.replace(/^.*@/, ''))
  if (version !== undefined && !isLatest && wanted === null) return 'version'
  const isWithin = range === undefined ? null : parseRange(range)
  if (range !== undefined && isWithin === null) return 'range'
  if (since !== undefined && !isDay(since)) return 'since'
  return (release) =>
    (wanted === null || (release.version !== null && isOfLine(release.version, wanted))) &&
    (isWithin === null || (release.version !== null && isWithin(release.version))) &&
    (since === undefined || (release.date !== null && release.date >= since))
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
}

/** A release with its fullest note, and the other notes about it. */
export type Release = ReleaseNote & { alsoAt: ReleaseNote[] }

/** True if the release has exactly this version. */
export function isExactly({ version }: Release, asked: string | undefined): boolean {
  return version !== null && version.text === asked?.replace(/^v(?=\d)/i, '')
}

/** Releases about the query, and those of them that pass the test. The latter begin with the exact version. */
export function selectReleases(
  notes: readonly ReleaseNote[],
  { version, query }: ReleaseFilters,
  isWanted: Test,
): { told: Release[]; found: Release[] } {
  const told = orderReleases(aboutQuery(notes, query))
  const wanted = newestOnly(told.filter(isWanted), version)
  const isExact = (release: Release) => isExactly(release, version)
  // `3.2` is both a release and a line.
  return { told, found: [...wanted.filter(isExact), ...wanted.filter((release) => !isExact(release))] }
}

/** The versions of releases, highest first. */
export function versionsOf(releases: readonly Release[]): string[] {
  const versions = releases.flatMap(({ version }) => version ?? []).toSorted((a, b) => compareVersions(b, a))
  return [...new Set(versions.map(({ text }) => text))]
}

/**
 * The latest of each component: its highest release, or pre-release if there is none. If only version guides exist, the
 * guide to the highest version.
 */
function newestOnly(releases: Release[], version: string | undefined): Release[] {
  if (version === undefined || !LATEST.test(version)) return releases
  const versioned = releases.filter((release) => release.version !== null)
  const numbered = versioned.filter(({ kind }) => kind !== 'migration')
  const told = [numbered, versioned].find(({ length }) => length > 0) ?? releases
  const components = Map.groupBy(told, componentOf)
  return [...components.values()].flatMap(
    (group) => group.find(({ version }) => version?.pre === null) ?? group[0] ?? [],
  )
}

/**
 * Filters by query. Words that match page or component names select among those. The other words must occur in the
 * text.
 */
function aboutQuery(notes: readonly ReleaseNote[], query: string | undefined): readonly ReleaseNote[] {
  if (query === undefined) return notes
  const nameOf = ({ page: { title, url }, component }: ReleaseNote) =>
    `${title} ${url.replaceAll(/[/_.-]/g, ' ')} ${component}`
  const names = new Map([...new Set(notes.map(nameOf))].map((name) => [name, stemsOf(name)]))
  const isOf = (term: string) => (each: ReleaseNote) => names.get(nameOf(each))?.has(term) === true
  const asked = [...stemsOf(query)]
  const naming = asked.filter((term) => notes.some(isOf(term)))
  const telling = asked.filter((term) => !naming.includes(term))
  const named = notes.filter((each) => naming.every((term) => isOf(term)(each)))
  const chosen = named.length > 0 ? named : notes
  if (telling.length === 0) return chosen
  // A stem is usually a prefix of its words. Prefix search is cheaper than stemming every changelog.
  return chosen.filter(({ heading, text }) => {
    const words = `${heading} ${text}`.toLowerCase()
    return telling.every((term) => words.includes(term))
  })
}

const BREAKING = /\bbreaking\b|\bbackwards?[- ]incompatib|💥/i

/** True if a release declares a breaking change. Migration guides always count. */
export function isBreaking({ kind, heading, text, alsoAt }: Release): boolean {
  return (
    kind === 'migration' ||
    BREAKING.test(heading) ||
    BREAKING.test(text) ||
    alsoAt.some((other) => BREAKING.test(other.text))
  )
}

const KINDS = ['release', 'changelog', 'migration'] as const

/**
 * Merges the notes on one version of one component, and sorts releases newest first. Within a component the order is by
 * version, and by date for entries without one. Components are merged by date; undated releases come last.
 */
function orderReleases(notes: readonly ReleaseNote[]): Release[] {
  const components = Map.groupBy(joinSame(notes), componentOf)
  const dated = [...components.values()].flatMap((group) => withDates(group.toSorted(newerFirst)))
  return dated.toSorted((a, b) => compareDates(b.at, a.at)).map(({ release }) => release)
}

function componentOf({ page, component }: ReleaseNote): string {
  return `${page.sourceId} ${component.toLowerCase()}`
}

function newerFirst(a: Release, b: Release): number {
  if (a.version !== null && b.version !== null) {
    const byVersion = compareVersions(b.version, a.version)
    return byVersion === 0 ? KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) : byVersion
  }
  if (a.version === null && b.version === null) return compareDates(b.date, a.date)
  // Unreleased and date-only entries sort before numbered ones. `withDates` places them.
  return a.version === null ? -1 : 1
}

function compareDates(a: string | null, b: string | null): number {
  return (a ?? '') < (b ?? '') ? -1 : (a ?? '') > (b ?? '') ? 1 : 0
}

/**
 * Gives releases dates that keep their order: that of the next older dated one to a release without, and at most that of
 * the release before.
 */
function withDates(releases: readonly Release[]): { release: Release; at: string }[] {
  let at = ''
  const dated = releases.toReversed().map((release) => {
    at = release.date ?? at
    return { release, at }
  })
  let most = dated.at(-1)?.at ?? ''
  return dated.toReversed().map(({ release, at: own }) => {
    if (own < most) most = own
    return { release, at: most }
  })
}

function joinSame(notes: readonly ReleaseNote[]): Release[] {
  const groups = Map.groupBy(notes, (each) => {
    const { page, version, kind, heading } = each
    // Keep guides separate from the releases they lead to.
    const place = version === null || kind === 'migration' ? `${page.url} ${heading}` : version.text
    return `${componentOf(each)} ${place}`
  })
  return [...groups.values()].flatMap((same) => {
    const [fullest, ...others] = same.toSorted((a, b) => b.text.length - a.text.length)
    if (fullest === undefined) return []
    const date = fullest.date ?? others.find((other) => other.date !== null)?.date ?? null
    return [{ ...fullest, date, alsoAt: others }]
  })
}
