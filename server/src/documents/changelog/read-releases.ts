import { addressPath } from '#lib/addresses/page-address.ts'
import { compareVersions, parseVersion, type Version } from '#lib/text/version.ts'
import { addressAt, blocksOf, entriesOn, type LibraryPage, type OpenPage } from '../library-page.ts'
import { entryHeading, findDate, titleVersion } from '../model/entries/release-heading.ts'

export type ReleaseKind = 'release' | 'changelog' | 'migration'

type About = {
  kind: ReleaseKind
  /** Package or product released, if a source has several. Empty for the whole source. */
  component: string
  version: Version | null
  /** ISO 8601 day, or null. */
  date: string | null
  /** Heading of the entry, or empty for a whole page. */
  heading: string
  /** The entry with its text, as offsets on its page. */
  start: number
  end: number
}

/** What the index knows of a release. A date or a tag can be in the text alone. */
export type ReleaseHead = About & { page: LibraryPage }

/** Changes of one version or day, as described in one place. */
export type ReleaseNote = About & { page: OpenPage; text: string; url: string }

/** Characters at the start of a page searched for its date. */
const HEAD = 300

/**
 * The releases on a page, from its entries, title and address: one per changelog entry, or one for the whole page. The
 * entries of a page titled with a version are not read unless that is related to the wanted one.
 */
export function readReleases(
  page: LibraryPage,
  kind: ReleaseKind,
  isRelated: (version: Version) => boolean = () => true,
): ReleaseHead[] {
  const own = titleVersion(page.title)
  if (kind === 'changelog' && (own === null || isRelated(own))) {
    const entries = entryHeads(page)
    // A page about one release repeats its version in section headings.
    const isAboutOne = own && entries.every(({ version }) => version && compareVersions(version, own) === 0)
    if (entries.length > 0 && !isAboutOne) return entries
  }
  return wholePage(page, kind)
}

function entryHeads(page: LibraryPage): ReleaseHead[] {
  const entries = entriesOn(page, 'release')
  if (entries.length === 0) return []
  const headings = new Map(
    blocksOf(page).flatMap((block) => (block.kind === 'heading' ? [[block.start, block] as const] : [])),
  )
  const own = componentOn(page)
  return entries.flatMap(({ start, end: close }, index): ReleaseHead[] => {
    const heading = headings.get(start)
    const said = heading === undefined ? null : entryHeading(heading.text)
    const end = Math.min(close, entries[index + 1]?.start ?? close)
    if (heading === undefined || said === null || end <= heading.end + 2) return []
    const { version, date, component } = said
    const { text } = heading
    return [{ page, kind: 'changelog', component: component || own, version, date, heading: text, start, end }]
  })
}

const TAG = /\/releases\/(?:tag\/)?([^/]+)$/

function wholePage(page: LibraryPage, kind: ReleaseKind): ReleaseHead[] {
  const { title, url } = page
  const tag = /^Release \S/.test(title) ? (TAG.exec(addressPath(url))?.[1] ?? '') : ''
  const { prefix, tail } = splitTag(tag)
  const said = parseVersion(tail) ?? titleVersion(title)
  const version = said ?? (kind === 'migration' ? addressVersion(url) : null)
  if (version === null && kind === 'migration') return []
  const component = tag === '' ? componentOn(page) : prefix
  const end = Infinity
  return [{ page, kind, component, version, date: findDate(url), heading: '', start: 0, end }]
}

const FACTS = /^(?:Pre-release|Release), tag (\S+?)(?:, published (\d{4}-\d{2}-\d{2}))?\.$/m

/** Reads the text of a release. Null for one without text, and for a page that says neither version nor day. */
export function readRelease(page: OpenPage, head: ReleaseHead): ReleaseNote | null {
  if (head.heading === '') return readPage(page, head)
  const section = page.sections.find(({ start }) => start === head.start)
  const text = section ? page.markdown.slice(section.body, head.end).trim() : ''
  if (section === undefined || text === '') return null
  const date = head.date ?? findDate(text.slice(0, 120).split('\n', 1)[0] ?? '')
  return { ...head, page, date, text, url: addressAt(page, section) }
}

function readPage(page: OpenPage, head: ReleaseHead): ReleaseNote | null {
  const { markdown, url, sections } = page
  const facts = FACTS.exec(markdown.slice(0, HEAD * 2))
  const { prefix, tail } = splitTag(facts?.[1] ?? '')
  const version = facts ? parseVersion(tail) : head.version
  const said = head.kind === 'migration' ? null : findDate(markdown.slice(0, HEAD))
  const date = facts?.[2] ?? head.date ?? said
  if (version === null && date === null) return null
  const text = markdown.slice(facts ? facts.index + facts[0].length : (sections[0]?.body ?? 0)).trim()
  const component = facts ? prefix : head.component
  return { ...head, page, component, version, date, text, url, end: markdown.length }
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
function componentOn({ url, title }: LibraryPage): string {
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
