import { addressPath } from '#lib/addresses/page-address.ts'
import { compareVersions, parseVersion, type Version } from '#lib/text/version.ts'
import { addressAt, entriesOn, type OpenPage } from '../library-page.ts'
import { entryHeading, titleVersion, findDate } from '../model/entries/release-heading.ts'

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
  const own = componentOf(page)
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
  const component = facts ? prefix : componentOf(page)
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

/**
 * Target version of a guide, read from the end of its URL: `upgrade-to/v3`, `migrating-to-2.0.html`. Ignores parent
 * folders and leading chapter numbers: `/docs/v2/migrate` and `04-upgrade.md` name no target.
 */
function addressVersion(url: string): Version | null {
  const parts = addressPath(url).split('/').filter(Boolean)
  if (/^(?:index|readme)\b/i.test(parts.at(-1) ?? '')) parts.pop()
  const [folder = '', file = ''] = ['', ...parts].slice(-2).map(wordsOf)
  if (MOVE.test(folder) && /^v?\d+(?:\.\d+)*(?:\.x)?$/i.test(file)) return titleVersion(file)
  return MOVE.test(file) ? titleVersion(file.replace(/^\d+ /, '')) : null
}

function wordsOf(part: string): string {
  return part.replace(/\.(?:html?|mdx?|rst|adoc|txt)$/i, '').replaceAll(/[-_]/g, ' ')
}

/**
 * Component of a page's releases. Prefers the folder of a package's changelog, then title words other than "changelog"
 * and the like, then the first folder of a site with several products.
 */
function componentOf({ url, title }: OpenPage): string {
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
