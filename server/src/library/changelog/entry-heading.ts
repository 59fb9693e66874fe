import { parseVersion, type Version } from '#lib/text/version.ts'
import { findDate } from './find-date.ts'

/** Facts about an entry, read from its heading in a changelog. */
export type EntryHeading = { version: Version | null; date: string | null; component: string; isUnreleased: boolean }

const NUMBER = String.raw`v?\d+(?:\.\d+)+(?!\.?\d)(?:[-.]?(?:alpha|beta|rc|pre|preview|dev|next|canary|nightly|snapshot|a|b)(?![a-z])[-.\w]*(?![-.\w])|-[\da-z][\w.-]*(?![\w.-]))?(?:\+[\w.]+(?![\w.]))?`
/** A version at the start, after at most three words for the component: `[1.2.0]`, `Widgets 1.2`, `@acme/a@1.2.0`. */
const VERSIONED = new RegExp(
  String.raw`^\W{0,3}(?:(?<component>(?:@?[\w./-]+[ @]+){0,3}?)(?:version |release |ver\.? |v)?)(?<version>${NUMBER})(?![\w.]*\.\w|/[a-z_])`,
  'i',
)
/** A whole number is a version only after `version`, `release` or `v`. */
const WHOLE =
  /^\W{0,2}(?:(?<component>(?:[\w./-]+ ){0,2}?)(?:version |release )|(?<name>(?:[\w./-]+ ){0,2}?)v)(?<version>\d{1,4})(?:\.x)?\b/i
const UNRELEASED = /^\W{0,2}(?:unreleased|next|upcoming|coming soon|head|main)\W{0,2}$/i

/** Parses the heading of a changelog entry. Returns null for any other heading. */
export function entryHeading(heading: string): EntryHeading | null {
  if (UNRELEASED.test(heading)) return { version: null, date: null, component: '', isUnreleased: true }
  const date = findDate(heading)
  const isDateFirst = date !== null && /^\W{0,2}(?:\d{1,4}[-/ ]|[a-z]{3,9}\.? )/i.test(heading)
  const groups = (VERSIONED.exec(heading) ?? WHOLE.exec(heading))?.groups
  const version = parseVersion(groups?.['version'] ?? '')
  if (version !== null) {
    const component = (groups?.['component'] ?? groups?.['name'] ?? '').replace(/(?<![@ ])[@ ]+$/, '')
    return { version, date, component: withoutWords(component), isUnreleased: false }
  }
  // A sentence may contain a date too.
  return isDateFirst && heading.length < 60 ? { version: null, date, component: '', isUnreleased: false } : null
}

function withoutWords(component: string): string {
  return component.replace(/\b(?:version|release|changes in|what's new in|new in)\b/gi, '').trim()
}
