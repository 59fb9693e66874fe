import { compareVersions, parseVersion } from '#lib/text/version.ts'
import type { ReleaseHead, ReleaseNote } from './read-releases.ts'
import { isLatest, type ReleaseFilters } from './release-filters.ts'

/** A release with its longest description, and the others of it. */
export type Release = ReleaseNote & { alsoAt: ReleaseNote[] }

/** True if the release has exactly this version. `2.1` is `2.1.0`. */
export function isExactly({ version }: Pick<ReleaseHead, 'version'>, asked: string | undefined): boolean {
  const wanted = asked === undefined ? null : parseVersion(asked.replace(/^.*@/, ''))
  return version !== null && wanted !== null && compareVersions(version, wanted) === 0
}

/** Joined releases, the exact version first, then newest first. With `latest`, the newest of each component. */
export function ordered(releases: readonly ReleaseNote[], { version }: ReleaseFilters): Release[] {
  const wanted = newestOnly(orderReleases(releases), version)
  const isExact = (release: Release) => isExactly(release, version)
  // `3.2` is both a release and a line.
  return [...wanted.filter(isExact), ...wanted.filter((release) => !isExact(release))]
}

/** The versions of releases, highest first. */
export function versionsOf(releases: readonly ReleaseHead[]): string[] {
  const versions = releases.flatMap(({ version }) => version ?? []).toSorted((a, b) => compareVersions(b, a))
  return [...new Set(versions.map(({ text }) => text))]
}

/** The highest release of each component, or pre-release without one. Guides to versions count only without others. */
function newestOnly(releases: Release[], version: string | undefined): Release[] {
  if (!isLatest(version)) return releases
  const versioned = releases.filter((release) => release.version !== null)
  const numbered = versioned.filter(({ kind }) => kind !== 'migration')
  const told = [numbered, versioned].find(({ length }) => length > 0) ?? releases
  return [...Map.groupBy(told, componentOf).values()].flatMap(
    (group) => group.find(({ version }) => version?.pre === null) ?? group[0] ?? [],
  )
}

const KINDS = ['release', 'changelog', 'migration'] as const

/** Merges descriptions of one version of one component. Newest first: by version within a component, by date across. */
function orderReleases(notes: readonly ReleaseNote[]): Release[] {
  const components = Map.groupBy(joinSame(notes), componentOf)
  const dated = [...components.values()].flatMap((group) => withDates(group.toSorted(newerFirst)))
  return dated.toSorted((a, b) => compareDates(b.at, a.at)).map(({ release }) => release)
}

function componentOf({ page, component }: ReleaseHead): string {
  return `${page.sourceId} ${component.toLowerCase()}`
}

function newerFirst(a: ReleaseHead, b: ReleaseHead): number {
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

/** Gives releases dates that keep their order. Those without one get that of the next older release. */
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

/** One release per version of a component, in the order of the first descriptions. */
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
