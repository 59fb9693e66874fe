import { addressPath } from '#lib/addresses/page-address.ts'

/** Purposes of a page recognisable from its title and URL. A page may have several. */
export const PAGE_KINDS = ['issue', 'release', 'changelog', 'migration', 'start'] as const
export type PageKind = (typeof PAGE_KINDS)[number]

const ISSUE_TITLE = /\((?:Issue|Pull request|Merge request) [#!]\d+\)$/
const ISSUE_PATH = /\/(?:issues|pull|pull-requests|merge_requests|pulls)\/\d+(?:\/[\w-]*)?$/

const RELEASE_TITLE = /^Release \S/
const RELEASE_PATH = /\/releases\/(?:tag\/)?[^/]+$/
/** Announcements of one release: `Vite 5.1 is out!`, `Introducing Express v5`, `Express@5.1.0: Now the Default`. */
const ANNOUNCED = /\b(?:announcing|introducing|released?|is (?:out|here|available)|what.?s new in)\b/i
const RELEASED = /\b(?:is (?:out|here|available)|released?|beta|alpha|rc)\b/gi
const VERSIONED = /^[\w/@ -]{2,40}@\d+\.\d|^[\w.]{2,30} v\d+(?:\.\d+)*$/i

const CHANGELOG_TITLE =
  /\bchange ?-?log\b|\brelease (?:notes|history)\b|\bversion history\b|^(?:releases|what.?s new|breaking changes|history of changes|deprecations?)\b|^change(?:s| history)$|^versions$|^(?!\w+ing )[\w.-]+ releases$/i
const CHANGELOG_PATH =
  /(?:^|[/_.-])(?:changelogs?|change-log|release[-_]?notes?|releases|whats[-_]?new|breaking[-_]changes)(?:$|[/_.-])/i
/** A page with this name, unless its title says what else changes. */
const CHANGES_PAGE = /\/changes(?:\.\w{1,8})?$/
/** File names written in capitals: `HISTORY.md`, `packages/a/CHANGES.rst`. */
const CHANGELOG_FILE = /(?:^|\/)(?:CHANGELOG|CHANGES|HISTORY|NEWS|RELEASES?|RELEASE[-_]NOTES)(?:\.\w{1,8})?$/

/** The name of a source file describes its function, not its purpose for a reader. */
const CODE_FILE = /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|c|cc|cpp|cxx|h|hh|hpp|cs|rb|php|swift|scala|sh)$/i

const MIGRATION = /\b(?:migrat(?:e|ing|ion)|upgrad(?:e|ing)|moving to)\b/i

const START_TITLE =
  /\b(?:quick ?-?start|get(?:ting)? started|first steps|hello,? world|installation|installing|install|set ?-?up|tutorial|readme|introduction|usage)\b/i
const START_PATH =
  /(?:^|[/_.-])(?:quick[-_]?start|get(?:ting)?[-_]?started|first[-_]steps|hello[-_]world|install(?:ation|ing)?|set[-_]?up|readme|introduction)(?:$|[/_.-])/i

/** Kinds of a page, as a bit set in the order of `PAGE_KINDS`. */
export function kindsOf({ url, title }: { url: string; title: string }): number {
  const path = addressPath(url)
  if (ISSUE_TITLE.test(title) && ISSUE_PATH.test(path)) return bit('issue')
  if (RELEASE_TITLE.test(title) && RELEASE_PATH.test(path)) return bit('release')
  if (CODE_FILE.test(path)) return 0
  const isChangelog =
    CHANGELOG_TITLE.test(title) ||
    CHANGELOG_PATH.test(path) ||
    CHANGELOG_FILE.test(path) ||
    CHANGELOG_FILE.test(title) ||
    (CHANGES_PAGE.test(path) && !/chang/i.test(title))
  return (
    (isChangelog ? bit('changelog') : 0) |
    (!isChangelog && isAnnouncement(title) ? bit('release') : 0) |
    (MIGRATION.test(title) || MIGRATION.test(path.replaceAll(/[-_/]/g, ' ')) ? bit('migration') : 0) |
    (START_TITLE.test(title) || START_PATH.test(path) || path === '/' ? bit('start') : 0)
  )
}

/** True for a number after announcement words, or release words after a number. */
function isAnnouncement(title: string): boolean {
  const digit = title.search(/\d/)
  if (digit < 0) return false
  const announced = ANNOUNCED.exec(title)
  if (announced && /\d/.test(title.slice(announced.index + announced[0].length))) return true
  return title.slice(digit + 1).search(RELEASED) >= 0 || VERSIONED.test(title)
}

const NEWS_PATH = /\/(?:announce(?:ments?)?|blog|news)(?:\/|$)/i

/** True for a changelog, the announcement of a release, and any page of a blog or below news. */
export function isNews(page: { url: string; title: string }): boolean {
  return (kindsOf(page) & NEWS_KINDS) !== 0 || NEWS_PATH.test(addressPath(page.url))
}

/** A release, a change or a time. To change something is not asking for changes. */
const ASKS_FOR_NEWS =
  /\b(?:what.?s new|new (?:in|features?)|news|latest|newest|recent(?:ly)?|releas\w+|changed|changes|change ?logs?|versions?|announc\w+|introduced|added|removed|deprecat\w+|breaking|upgrad\w+|migrat\w+|since|roadmap|blog)\b|\b\d+\.[\dx]/i

/** True if a question asks for a version, or for what is new. */
export function asksForNews(question: string): boolean {
  return ASKS_FOR_NEWS.test(question)
}

export function kindMask(kinds: readonly PageKind[]): number {
  return kinds.reduce((mask, kind) => mask | bit(kind), 0)
}

function bit(kind: PageKind): number {
  return 1 << PAGE_KINDS.indexOf(kind)
}

/** True for the heading of the section of a manual page that says what its subject is. */
export function isDescription(heading: string): boolean {
  return /^(?:description|overview)$/i.test(heading)
}

/** True for the title of a list of definitions. */
export function isGlossary(title: string): boolean {
  return /\bglossar|\bterminolog/i.test(title)
}

/** True if a heading declares a value whose name is an ordinary word, such as `property blueprint: str`. */
export function isOrdinaryValue(heading: string): boolean {
  return /^(?:abstract |static )?(?:attribute|field|property) [a-z]+(?![\w.])/.test(heading)
}

/** True if a heading declares a type: `class flask.Blueprint(name)`, `Interface Blueprint`. */
export function declaresType(heading: string): boolean {
  return /^(?:(?:abstract|export|final|public|sealed|static) ){0,3}(?:class|enum|interface|protocol|struct|trait) [\w.:]+/i.test(
    heading,
  )
}

const NEWS_KINDS = kindMask(['release', 'changelog'])
