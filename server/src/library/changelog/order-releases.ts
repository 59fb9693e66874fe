import { compareVersions } from '#lib/text/version.ts'
import type { ReleaseNote } from './read-releases.ts'

/** A release with its fullest note, and the other notes about it. */
export type Release = ReleaseNote & { alsoAt: ReleaseNote[] }

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
  // Unreleased and date-only entries sort before numbered ones. `withDates` places them.
  return a.version === null ? -1 : 1
}

function compareDates(a: string | null, b: string | null): number {
  return (a ?? '') < (b ?? '') ? -1 : (a ?? '') > (b ?? '') ? 1 : 0
}

type Dated = { release: Release; at: string }

/** Gives an undated release the date of the next older dated release of its component. */
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
    // Keep guides separate from the releases they lead to.
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
