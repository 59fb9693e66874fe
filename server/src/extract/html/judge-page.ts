import { elementAt } from '#lib/element-at.ts'
import { addressPath } from '#lib/addresses/page-address.ts'
import { oneLine } from '#lib/text/one-line.ts'
import { type PageLink, reject, type Rejected } from '../extracted-page.ts'
import { type HtmlNode, type HtmlTree, attribute, type TextWeight, textOf } from './html-tree.ts'

/** Pages with less text may be shells for JavaScript. */
const THIN = 200
/** Upper bound for error and login pages, in characters. Articles about errors are longer. */
const SHORT = 1_200

/** Matches the whole title, because documentation about an error can contain these words. */
const NOT_FOUND =
  /^(?:error\s*)?404\b.{0,40}$|^(?:sorry,? )?(?:(?:the |this )?(?:page|document|article|content|resource) )?(?:was |is |could |can)?(?: ?not|n.t)(?: be)? found\W*$|^(?:the |this )?page (?:does not|doesn.t) exist\W*$/i
const LOGIN = /^(?:sign|log) ?in\b|^login\b|\b(?:sign|log) in to (?:continue|your account)\b/i

/** Detects non-pages: error pages with status 200, login walls, shells without text. */
export function judgePage(page: {
  tree: HtmlTree
  markdown: string
  title: string
  links: PageLink[]
}): Rejected | { kind: 'fit'; empty: boolean } {
  const { tree, markdown, title, links } = page
  if (markdown.length < SHORT && NOT_FOUND.test(title)) {
    return reject('soft_404', 'The page says that it was not found, although the server answered as if it were there.')
  }
  if (markdown.length < SHORT && LOGIN.test(title) && hasPasswordField(tree)) {
    return reject('login_page', 'The page asks for a login; what is behind it cannot be read.')
  }
  if (markdown.length < THIN && needsJavaScript(tree, markdown)) return { kind: 'fit', empty: true }
  if (markdown === '') return reject('no_text', 'The page has no text of its own.', links)
  return { kind: 'fit', empty: false }
}

function hasPasswordField(tree: HtmlTree): boolean {
  return tree.some((node) => node.tag === 'input' && node.attribs['type'] === 'password')
}

/**
 * Returns true for the empty mount point of a client-side application with its scripts, or for a page of scripts alone.
 */
function needsJavaScript(tree: HtmlTree, markdown: string): boolean {
  if (!tree.some((node) => node.tag === 'script')) return false
  return markdown === '' || tree.some(isMount)
}

const MOUNT = /^(?:root|app|__next|__nuxt|___gatsby|svelte|main-app|app-root)$/

function isMount(node: HtmlNode): boolean {
  return node.tag === 'app-root' || MOUNT.test(node.attribs['id'] ?? '')
}

/** Pages that generators add for navigation. */
export type IndexPage = 'index_page' | 'source_view'

/** Minimum share of linked text for a page with an index title. Such a page also needs LEAST_LINKS links. */
const LINKED = 0.7
/** Minimum share of linked text on the whole page if its URL is that of an index. */
const LINKED_ON_PATH = 0.4
const LEAST_LINKS = 30

const INDEX_TITLE =
  /^(?:[\w.’'-]{1,30} ){0,3}(?:index|contents|site ?map|cross-?reference|all (?:classes|interfaces|packages|items)(?: and \w+)?)(?:\s*[\u2013\u2014:-]\s*\S{1,20})?$/i
const INDEX_PATH =
  /(?:^|\/)(?:genindex(?:-\w+)?|py-modindex|modindex|bookindex|index-all|allclasses(?:-index)?|_modules\/index)(?:\.x?html?)?$/i

/** Sphinx and Javadoc put listings into separate folders, Doxygen into files. */
const SOURCE_PATH = /\/(?:_modules|src-html)\/|_source\.x?html?$/

/** Letter section of a DocBook index. Its links have plain text beside them. */
const INDEX_PART = /(?:^|\s)indexdiv(?:\s|$)/
const LEAST_PARTS = 3

/**
 * Detects indices and source code listings. Both repeat the words of their target pages and answer nothing. Returns
 * null for any other page. `start` is the index of the text region.
 */
export function indexPage(
  tree: HtmlTree,
  { url, title, weight, start }: { url: string; title: string; weight: TextWeight; start: number },
): IndexPage | null {
  const path = addressPath(url)
  if (isSourceView(tree, path)) return 'source_view'
  if (tree.filter((node) => INDEX_PART.test(attribute(node, 'class'))).length >= LEAST_PARTS) return 'index_page'
  const isLinked = (at: number, share: number) => elementAt(weight.linked, at) >= share * elementAt(weight.all, at)
  // On a page of links, the text region may be the footer.
  if (INDEX_PATH.test(path)) return isLinked(0, LINKED_ON_PATH) ? 'index_page' : null
  if (!INDEX_TITLE.test(title.trim()) || !isLinked(start, LINKED)) return null
  const end = tree[start]?.end ?? 0
  let links = 0
  for (let i = start; i < end; i++) if (tree[i]?.tag === 'a' && tree[i]?.attribs['href'] !== undefined) links++
  return links >= LEAST_LINKS ? 'index_page' : null
}

function isSourceView(tree: HtmlTree, path: string): boolean {
  const body = tree.find(({ tag }) => tag === 'body')
  if (body && /(?:^|\s)rustdoc (?:src|source)(?:\s|$)/.test(attribute(body, 'class'))) return true
  return SOURCE_PATH.test(path) && tree.some((node) => node.tag === 'pre' || attribute(node, 'class') === 'fragment')
}

/**
 * Adds semantic elements to Doxygen pages, which use class names alone. The title above the text becomes a heading, and
 * headings of members move below those of their group. Returns that title, or '' on any other page.
 */
export function markDoxygen(tree: HtmlTree): string {
  let title = ''
  for (let index = 0; index < tree.length; index++) {
    const node = tree[index]
    const names = node === undefined ? '' : attribute(node, 'class')
    if (node === undefined || names === '') continue
    if (node.tag === 'h2' && /(?:^|\s)memtitle(?:\s|$)/.test(names)) node.tag = 'h3'
    if (node.tag === 'div' && names === 'ingroups') node.dropped = true
    if (title === '' && node.tag === 'div' && names === 'title' && isHeaderTitle(tree, node.parent)) {
      for (let i = index + 1; i < node.end; i++) {
        const inner = tree[i]
        if (inner && /^(?:ingroups|mlabels)$/.test(attribute(inner, 'class'))) inner.dropped = true
      }
      title = oneLine(textOf(tree, index + 1, node.end))
      node.tag = 'h1'
    }
  }
  return title
}

function isHeaderTitle(tree: HtmlTree, index: number): boolean {
  const node = tree[index]
  return node !== undefined && /(?:^|\s)headertitle(?:\s|$)/.test(attribute(node, 'class'))
}

/** Javadoc writers of list pages: uses of a class, hierarchies, names by letter. */
const JAVADOC = /^javadoc\/(?:(?:Class|Package)UseWriter|(?:Package)?TreeWriter|\w*(?<!Module|Package)IndexWriter)$/
/** Titles of list pages in all releases of Javadoc, Doxygen, QDoc and rustdoc. */
const TITLES =
  /^Uses of (?:(?:Annotation|Class|Enum|Exception|Interface|Record)(?: \w+)? [\w$]+\.|Package )[\w$.]+(?: \(|$)|^[\w$.]+ Class Hierarchy(?: \(|$)|^[A-Z_$]-Index(?: \(|$)|^List of All Members for \S|(?:^|\s)Member List$|^List of all items in this crate$/

/** First words of list pages that have only the site name as title. */
const BEGINNING = /^\s*Here is a list of all (?:[\w ]+ )?(?:members|functions|variables|typedefs|enum\w*|macros)\b/

type Described = { title: string; heading: string; generator: string | null; region: number }

/**
 * Detects pages that reference generators derive from other pages: lists of names, and source code listings. Returns
 * null for a page with original text.
 */
export function referenceAid(tree: HtmlTree, { title, heading, generator, region }: Described): IndexPage | null {
  const start = tree[region]
  if (start === undefined) return null
  const isList =
    JAVADOC.test(generator ?? '') ||
    TITLES.test(title) ||
    TITLES.test(heading) ||
    BEGINNING.test(textOf(tree, region, start.end, 200))
  if (isList) return 'index_page'
  const isSource = generator === 'rustdoc' ? title.endsWith(' - source') : holdsSource(tree, region)
  return isSource ? 'source_view' : null
}

/** Detects Doxygen's source view by the anchor of its first line. */
function holdsSource(tree: HtmlTree, region: number): boolean {
  const start = tree[region]
  let isFragment = false
  for (let i = region; i < Math.min(start?.end ?? 0, region + 40); i++) {
    const node = tree[i]
    if (node === undefined) return false
    isFragment ||= /(?:^|\s)fragment(?:\s|$)/.test(attribute(node, 'class'))
    if (isFragment && /^l0*1$/.test(attribute(node, 'id') || attribute(node, 'name'))) {
      // Prose above the code means that the page quotes a file.
      return oneLine(textOf(tree, region, i)).length < 200
    }
  }
  return false
}
