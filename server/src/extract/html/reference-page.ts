import type { IndexPage } from './index-page.ts'
import { attribute, type HtmlTree, textOf } from './html-tree.ts'
import { oneLine } from '#lib/text/one-line.ts'

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
