import { parseVersion, type Version } from '#lib/text/version.ts'

/** Facts about an entry, read from its heading in a changelog. */
export type EntryHeading = { version: Version | null; date: string | null; component: string }

const NUMBER = String.raw`v?\d+(?:\.\d+)+(?!\.?\d)(?:[-.]?(?:alpha|beta|rc|pre|preview|dev|next|canary|nightly|snapshot|a|b)(?![a-z])[-.\w]*(?![-.\w])|-[\da-z][\w.-]*(?![\w.-]))?(?:\+[\w.]+(?![\w.]))?`
/** A version at the start, after at most three words for the component: `[1.2.0]`, `Widgets 1.2`, `@acme/a@1.2.0`. */
const VERSIONED = new RegExp(
  String.raw`^\W{0,3}(?:(?<component>(?:@?[\w./-]+[ @]+){0,3}?)(?:version |release |ver\.? |v)?)(?<version>${NUMBER})(?![\w.]*\.\w|/[a-z_]|\. +[a-z])`,
  'i',
)
/** A whole number is a version only after `version`, `release` or `v`. */
const WHOLE =
  /^\W{0,2}(?:(?<component>(?:[\w./-]+ ){0,2}?)(?:version |release )|(?<name>(?:[\w./-]+ ){0,2}?)v)(?<version>\d{1,4})(?:\.x)?\b/i
const UNRELEASED = /^\W{0,2}(?:unreleased|next|upcoming|coming soon|head|main)\W{0,2}$/i

/** Parses the heading of a changelog entry. Returns null for any other heading. */
export function entryHeading(heading: string): EntryHeading | null {
  if (UNRELEASED.test(heading)) return { version: null, date: null, component: '' }
  const date = findDate(heading)
  const isDateFirst = date !== null && /^\W{0,2}(?:\d{1,4}[-/ ]|[a-z]{3,9}\.? )/i.test(heading)
  const groups = (VERSIONED.exec(heading) ?? WHOLE.exec(heading))?.groups
  const version = parseVersion(groups?.['version'] ?? '')
  if (version !== null) {
    const component = (groups?.['component'] ?? groups?.['name'] ?? '')
      .replace(/(?<![@ ])[@ ]+$/, '')
      .replace(/\b(?:version|release|changes in|what's new in|new in)\b/gi, '')
      .trim()
    return { version, date, component }
  }
  // A sentence may contain a date too.
  return isDateFirst && heading.length < 60 ? { version: null, date, component: '' } : null
}

const TOKEN =
  /(?<![\w./-])v?\d{1,4}(?:\.\d+(?!\d))*(?:\.x)?(?:-(?:alpha|beta|rc)[\w.]*(?![\w.]))?(?![\w-]*\d{4})(?!\.?\w)/gi

/** The version that a title is about, or null. Prefers the target of an upgrade, or else the next one of its origin. */
export function titleVersion(given: string): Version | null {
  // Section of a manual page: `cvs-migration(7)`.
  const withoutSection = given.replaceAll(/(?<=\w)\(\d[a-z]?\)/gi, '')
  // Chapter number: `3. Upgrade guide`.
  const title = withoutSection.replace(/^\d{1,2}[.)] +(?=\D)/, '')
  const to = /\bto\s+(?:[\w.]+\s+){0,2}?(v?\d[\w.]*)/i.exec(title)
  const target = to ? parseVersion(to[1] ?? '') : null
  if (target) return target
  const from = /\bfrom\s+(?:[\w.]+\s+){0,2}?(v?\d[\w.]*)/i.exec(title)
  const source = from ? parseVersion(from[1] ?? '') : null
  if (source) {
    const [major = 0] = source.numbers
    return { text: String(major + 1), numbers: [major + 1], pre: null }
  }
  const at = /@(\d+\.\d[\w.-]*?)(?=[:,;\s]|$)/.exec(title)
  if (at) return parseVersion(at[1] ?? '')
  const tokens = [...title.matchAll(TOKEN)].map(([token]) => token.replace(/\.x$/i, ''))
  // Years are not versions.
  const versions = tokens
    .filter((token) => !/^(?:19|20)\d{2}$/.test(token))
    .flatMap((token) => parseVersion(token) ?? [])
  const version = versions.find(({ numbers }) => numbers.length > 1) ?? versions[0] ?? null
  const stage =
    version?.pre === null ? /\d\s+(alpha|beta|rc|preview|canary)\b/i.exec(title)?.[1]?.toLowerCase() : undefined
  return version && stage !== undefined ? { ...version, text: `${version.text}-${stage}`, pre: [stage] } : version
}

const MONTH = '\\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?'
const DATES = [
  /(?<![\d.])(?:19|20)\d{2}[-/]\d{1,2}[-/]\d{1,2}(?![\d.])/,
  new RegExp(`${MONTH} \\d{1,2}(?:st|nd|rd|th)?,? +(?:19|20)\\d{2}`, 'i'),
  new RegExp(`\\b\\d{1,2}(?:st|nd|rd|th)? +${MONTH},? +(?:19|20)\\d{2}`, 'i'),
  new RegExp(`${MONTH} +(?:19|20)\\d{2}`, 'i'),
]

/**
 * The first date in a line (`2024/3/1`, `March 1, 2024`, `1 March 2024`, `March 2024`) as an ISO 8601 day. Null without
 * one, and for a day that its month does not have.
 */
export function findDate(text: string): string | null {
  const [written] = DATES.find((date) => date.test(text))?.exec(text) ?? []
  if (written === undefined) return null
  const date = new Date(`${written.replace(/(?<=\d)(?:st|nd|rd|th)/i, '')} UTC`)
  if (Number.isNaN(date.getTime())) return null
  const [first, second, third] = written.match(/\d+/g) ?? []
  const day = third ?? (second === undefined ? 1 : first)
  return Number(day) === date.getUTCDate() ? date.toISOString().slice(0, 10) : null
}
