import { elementAt } from '#lib/arrays.ts'
import { addressPath } from '#lib/addresses/page-address.ts'
import { oneLine } from '#lib/text/one-line.ts'
import { type PageLink, reject, type Rejected } from '../extracted-page.ts'
import { attribute, findInside, type HtmlNode, type HtmlTree, lineOf, textBetween, textOf } from './html-tree.ts'

/** Pages with less text may be shells for JavaScript. */
const THIN = 200
/** Upper bound for error and login pages, in characters. Articles about errors are longer. */
const SHORT = 1_200

/** Matches the whole title, because documentation about an error can contain these words. */
const NOT_FOUND =
  /^(?:error\s*)?404\b.{0,40}$|^(?:sorry,? )?(?:(?:the |this )?(?:page|document|article|content|resource) )?(?:was |is |could |can)?(?: ?not|n.t)(?: be)? found\W*$|^(?:the |this )?page (?:does not|doesn.t) exist\W*$/i
const LOGIN = /^(?:sign|log) ?in\b|^login\b|\b(?:sign|log) in to (?:continue|your account)\b/i

/** A page as far as it decides about its refusal. */
type Judged = {
  url: string
  /** The title with the purpose of a reference page, the title element, and the title without the name of the site. */
  titles: { page: string; element: string; heading: string }
  generator: string | null
  region: HtmlNode
  markdown: string
  links: PageLink[]
}

/** Refuses pages that repeat others, error pages with status 200, login walls, and pages without text. */
export function refusePage(page: Judged): Rejected | null {
  const { titles, region, markdown, links } = page
  const isSource = isSourceView(page)
  if (!isSource && isIndex(page))
    return reject('index_page', 'An index: hardly anything but links to other pages, which are read.', links)
  if (isSource || quotesSource(page)) {
    const advice = 'A listing of source code beside the documentation. Add its repository to search the code.'
    return reject('source_view', advice, links)
  }
  const isShort = markdown.length < SHORT
  if (isShort && NOT_FOUND.test(titles.page))
    return reject('soft_404', 'The page says that it was not found, although the server answered as if it were there.')
  const isPasswordField = ({ tag, attribs }: HtmlNode) => tag === 'input' && attribs['type'] === 'password'
  if (isShort && LOGIN.test(titles.page) && region.tree.some(isPasswordField))
    return reject('login_page', 'The page asks for a login; what is behind it cannot be read.')
  if (markdown !== '' || needsJavaScript(region.tree, markdown)) return null
  return reject('no_text', 'The page has no text of its own.', links)
}

const MOUNT = /^(?:root|app|__next|__nuxt|___gatsby|svelte|main-app|app-root)$/

/** Returns true for the empty mount point of an application with its scripts, or for a page of scripts alone. */
export function needsJavaScript(tree: HtmlTree, markdown: string): boolean {
  if (markdown.length >= THIN || !tree.some(({ tag }) => tag === 'script')) return false
  return markdown === '' || tree.some(({ tag, attribs }) => tag === 'app-root' || MOUNT.test(attribs['id'] ?? ''))
}

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

/** Letter sections of a DocBook index. Their links have plain text beside them. */
const LEAST_PARTS = 3

/** Javadoc writers of list pages: uses of a class, hierarchies, names by letter. */
const JAVADOC = /^javadoc\/(?:(?:Class|Package)UseWriter|(?:Package)?TreeWriter|\w*(?<!Module|Package)IndexWriter)$/
/** Titles of list pages in all releases of Javadoc, Doxygen, QDoc and rustdoc. */
const TITLES =
  /^Uses of (?:(?:Annotation|Class|Enum|Exception|Interface|Record)(?: \w+)? [\w$]+\.|Package )[\w$.]+(?: \(|$)|^[\w$.]+ Class Hierarchy(?: \(|$)|^[A-Z_$]-Index(?: \(|$)|^List of All Members for \S|(?:^|\s)Member List$|^List of all items in this crate$/

/** First words of list pages that have only the site name as title. */
const BEGINNING = /^\s*Here is a list of all (?:[\w ]+ )?(?:members|functions|variables|typedefs|enum\w*|macros)\b/

/** Returns true for a list of pages that a generator derives from them. It repeats their words and answers nothing. */
function isIndex({ url, titles, generator, region }: Judged): boolean {
  if (JAVADOC.test(generator ?? '') || TITLES.test(titles.element) || TITLES.test(titles.heading)) return true
  if (BEGINNING.test(textOf(region, 200))) return true
  const { tree } = region
  if (tree.filter(({ classes }) => classes.has('indexdiv')).length >= LEAST_PARTS) return true
  const isLinked = (node: HtmlNode, share: number) => node.linked >= share * node.length
  // On a page of links, the text region may be the footer.
  if (INDEX_PATH.test(addressPath(url))) return isLinked(elementAt(tree, 0), LINKED_ON_PATH)
  if (!INDEX_TITLE.test(titles.page.trim()) || !isLinked(region, LINKED)) return false
  let links = 0
  const isLastLink = ({ tag, attribs }: HtmlNode) =>
    tag === 'a' && attribs['href'] !== undefined && ++links === LEAST_LINKS
  return findInside(region, isLastLink) !== undefined
}

function isSourceView({ url, region: { tree } }: Judged): boolean {
  const body = tree.find(({ tag }) => tag === 'body')
  if (body && /(?:^|\s)rustdoc (?:src|source)(?:\s|$)/.test(attribute(body, 'class'))) return true
  const isListing = (node: HtmlNode) => node.tag === 'pre' || attribute(node, 'class') === 'fragment'
  return SOURCE_PATH.test(addressPath(url)) && tree.some(isListing)
}

/** Detects the source views of old rustdoc by their titles, and those of Doxygen by the anchor of the first line. */
function quotesSource({ titles, generator, region }: Judged): boolean {
  if (generator === 'rustdoc') return titles.element.endsWith(' - source')
  let isFragment = false
  const isFirstLine = (node: HtmlNode) => {
    isFragment ||= node.classes.has('fragment')
    return isFragment && /^l0*1$/.test(attribute(node, 'id') || attribute(node, 'name'))
  }
  const first = findInside(region, isFirstLine, 40)
  // Prose above the code means that the page quotes a file.
  return first !== undefined && oneLine(textBetween(region.tree, region.index, first.index)).length < 200
}

/**
 * Adds semantic elements to Doxygen pages, which use class names alone. The title above the text becomes a heading, and
 * headings of members move below those of their group. Returns that title, or '' on any other page.
 */
export function markDoxygen(tree: HtmlTree): string {
  let title = ''
  for (const node of tree) {
    const names = attribute(node, 'class')
    if (names === '') continue
    if (node.tag === 'h2' && node.classes.has('memtitle')) node.tag = 'h3'
    if (node.tag !== 'div') continue
    if (names === 'ingroups') node.dropped = true
    if (title !== '' || names !== 'title' || !node.parent?.classes.has('headertitle')) continue
    for (let i = node.index + 1; i < node.end; i++) {
      const inner = elementAt(tree, i)
      inner.dropped ||= /^(?:ingroups|mlabels)$/.test(attribute(inner, 'class'))
    }
    title = lineOf(node)
    node.tag = 'h1'
  }
  return title
}
