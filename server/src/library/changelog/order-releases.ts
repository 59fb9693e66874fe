import { compareVersions } from '#lib/version.ts'
import type { ReleaseNote } from './read-releases.ts'

/** The same release told in several places: the fullest, and where else. */
export type Release = ReleaseNote & { alsoAt: ReleaseNote[] }

const BREAKING = /\bbreaking\b|\bbackwards?[- ]incompatib|💥/i

/** Whether a release says of itself that it breaks what was. A guide to a version is there because it does. */
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
 * Joins what tells of one version of one component, and puts releases in order, the newest first. Versions of one
 * component are in the order of versions, with what has only a date between them by date; several components are
 * merged by their dates, and those without any come last.
 */
export function orderReleases(notes: readonly ReleaseNote[]): Release[] {
  const groups = Map.groupBy(joinSame(notes), ({ page, component }) => `${page.sourceId} ${component.toLowerCase()}`)
  const queues = [...groups.values()].map((group) => withDates(group.toSorted(newerFirst)))
  const ordered: Release[] = []
  for (;;) {
    let next: (typeof queues)[number] | undefined
    for (const queue of queues) {
      if (queue.length > 0 && (next === undefined || (queue[0]?.at ?? '') > (next[0]?.at ?? ''))) next = queue
    }
    const first = next?.shift()
    if (first === undefined) return ordered
    ordered.push(first.release)
  }
}

function newerFirst(a: Release, b: Release): number {
  if (a.version !== null && b.version !== null) {
    const byVersion = compareVersions(b.version, a.version)
    return byVersion === 0 ? KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) : byVersion
  }
  if (a.version === null && b.version === null) return compareDates(b.date, a.date)
  // What is not released yet, and what is only dated, stands before numbered ones: see `withDates` for their places.
  return a.version === null ? -1 : 1
}

function compareDates(a: string | null, b: string | null): number {
  return (a ?? '') < (b ?? '') ? -1 : (a ?? '') > (b ?? '') ? 1 : 0
}

type Dated = { release: Release; at: string }

/** A release without a date is taken for as old as the next older one of its component that has one. */
function withDates(releases: readonly Release[]): Dated[] {
  let at = ''
  const dated = releases.toReversed().map((release) => {
    at = release.date ?? at
    return { release, at }
  })
  return dated.toReversed()
}

function joinSame(notes: readonly ReleaseNote[]): Release[] {
  const groups = Map.groupBy(notes, (each) => {
    const { page, component, version, kind, heading } = each
    // Guides stand by themselves beside what they lead to.
    const place = version === null || kind === 'migration' ? `${page.url} ${heading}` : version.text
    return `${page.sourceId} ${component.toLowerCase()} ${place}`
  })
  return [...groups.values()].flatMap((same) => {
    const [fullest, ...others] = same.toSorted((a, b) => b.text.length - a.text.length)
    if (fullest === undefined) return []
    const date = fullest.date ?? others.find((other) => other.date !== null)?.date ?? null
    return [{ ...fullest, date, alsoAt: others }]
  })
}
