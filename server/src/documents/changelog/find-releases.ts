import { compareVersions, isOfLine, parseRange, parseVersion, type Version } from '#lib/text/version.ts'
import type { Library, Scope } from '../library.ts'
import { stemsOf } from '../term-overlap.ts'
import { addressPath } from '#lib/addresses/page-address.ts'
import { addressAt, entriesOn, type OpenPage } from '../library-page.ts'
import { entryHeading, findDate, titleVersion } from '../model/entries/release-heading.ts'

/** Maximum pages read per answer. The largest changelogs are one page; releases are one page each. */
const MOST_PAGES = 400
const DAY = /^\d{4}-\d{2}-\d{2}$/
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
  if (since !== undefined && (!DAY.test(since) || Number.isNaN(Date.parse(since)))) return 'since'
  return (release) =>
    (wanted === null || (release.version !== null && isOfLine(release.version, wanted))) &&
    (isWithin === null || (release.version !== null && isWithin(release.version))) &&
    (since === undefined || (release.date !== null && release.date >= since))
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

/** The highest release of each component, or pre-release without one. Guides to versions count only without others. */
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

/** Releases about a query. Words in names of pages or components select those, and the others must be in the text. */
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

/** Merges notes on one version of one component. Newest first: by version within a component, by date across them. */
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

/** Changes of one version or day, as described in one place. */
export type ReleaseNote = {
  page: OpenPage
  kind: 'release' | 'changelog' | 'migration'
  /** Package or product released, if a source has several. Empty for the whole source. */
  component: string
  version: Version | null
  /** ISO 8601 day, or null. */
  date: string | null
  heading: string
  text: string
  url: string
}

/** Characters at the start of a page searched for its date. */
const HEAD = 300

/** Reads the releases on a page: one note per changelog entry, or one for a release page or migration guide. */
export function readReleases(page: OpenPage, kind: ReleaseNote['kind']): ReleaseNote[] {
  if (kind === 'changelog') {
    const entries = entriesOf(page)
    // A page about one release repeats its version in section headings.
    const own = titleVersion(page.title)
    const isAboutOne = own && entries.every(({ version }) => version && compareVersions(version, own) === 0)
    if (entries.length > 0 && !isAboutOne) return entries
  }
  return wholePage(page, kind)
}

function entriesOf(page: OpenPage): ReleaseNote[] {
  const { markdown, sections } = page
  const starts = new Set(entriesOn(page, 'release').map(({ start }) => start))
  const own = componentOn(page)
  const releases = sections.filter(({ start }) => starts.has(start))
  return releases.flatMap((section, index): ReleaseNote[] => {
    const { heading, body, close } = section
    const text = markdown.slice(body, Math.min(close, releases[index + 1]?.start ?? close)).trim()
    const said = entryHeading(heading)
    if (text === '' || said === null) return []
    const date = said.date ?? findDate(text.slice(0, 120).split('\n', 1)[0] ?? '')
    const component = said.component === '' ? own : said.component
    const { version } = said
    return [{ page, kind: 'changelog', component, version, date, heading, text, url: addressAt(page, section) }]
  })
}

const RELEASE_FACTS = /^(?:Pre-release|Release), tag (\S+?)(?:, published (\d{4}-\d{2}-\d{2}))?\.$/m

function wholePage(page: OpenPage, kind: ReleaseNote['kind']): ReleaseNote[] {
  const { markdown, title, url } = page
  const facts = RELEASE_FACTS.exec(markdown.slice(0, HEAD * 2))
  const { prefix, tail } = splitTag(facts?.[1] ?? '')
  const version = facts
    ? parseVersion(tail)
    : (titleVersion(title) ?? (kind === 'migration' ? addressVersion(url) : null))
  const date = facts?.[2] ?? findDate(url) ?? (kind === 'migration' ? null : findDate(markdown.slice(0, HEAD)))
  if (version === null && (date === null || kind === 'migration')) return []
  const text = markdown.slice(facts ? facts.index + facts[0].length : (page.sections[0]?.body ?? 0)).trim()
  const component = facts ? prefix : componentOn(page)
  return [{ page, kind, component, version, date, heading: '', text, url }]
}

/** Splits a tag into component and version: `widgets-v1.2.0` into `widgets` and `v1.2.0`. */
function splitTag(tag: string): { prefix: string; tail: string } {
  const from = tag.search(/(?<![\w.+-])[\w.+-]*$/)
  const at = tag.slice(from).search(/v?\d/)
  if (at < 0) return { prefix: '', tail: '' }
  return { prefix: tag.slice(0, from + at).replace(/[-_@/]$/, ''), tail: tag.slice(from + at) }
}

const MOVE = /\b(?:migrat(?:e|ing|ions?)|upgrad(?:e|es|ing)|moving|to)\b/i

/** Target version of a guide from the end of its URL: `upgrade-to/v3`, but not `/docs/v2/migrate`, `04-upgrade.md`. */
function addressVersion(url: string): Version | null {
  const parts = addressPath(url).split('/').filter(Boolean)
  if (/^(?:index|readme)\b/i.test(parts.at(-1) ?? '')) parts.pop()
  const [folder = '', file = ''] = ['', ...parts]
    .slice(-2)
    .map((part) => part.replace(/\.(?:html?|mdx?|rst|adoc|txt)$/i, '').replaceAll(/[-_]/g, ' '))
  if (MOVE.test(folder) && /^v?\d+(?:\.\d+)*(?:\.x)?$/i.test(file)) return titleVersion(file)
  return MOVE.test(file) ? titleVersion(file.replace(/^\d+ /, '')) : null
}

/** Component of a page's releases: the folder of a package, words of the title, or the first folder of the site. */
function componentOn({ url, title }: OpenPage): string {
  const path = addressPath(url).split('/')
  const file = /^(?:CHANGELOG|CHANGES|HISTORY|NEWS|RELEASES?|RELEASE[-_]NOTES)(?:\.\w+)?$/i.test(path.at(-1) ?? '')
  const blob = path.findIndex((part) => part === 'blob' || part === 'src')
  if (file && blob >= 0) return path.slice(blob + 2, -1).at(-1) ?? ''
  // Package folders come after the repository's owner and name.
  if (file && url.includes('?')) return path.slice(3, -1).at(-1) ?? ''
  const words = title
    .replaceAll(
      /\b(?:change ?-?log|release (?:notes|history)|releases?|what.?s new(?: in)?|breaking changes|announcing|introducing|migrat(?:e|ing|ion)(?: (?:from|to|guide))?|upgrad(?:e|ing)(?: (?:from|to|guide))?|moving to|guide|is out|history|version|legacy|how|the|for)\b/gi,
      ' ',
    )
    .replaceAll(/\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b/gi, ' ')
    .replaceAll(/v?\d[\w.]*|[^\p{L}\p{N}@/.\s-]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return words !== '' && words.split(' ').length <= 2 ? words : path.length > 2 ? (path[1] ?? '') : ''
}
