import { elementAt } from '#lib/element-at.ts'
import { addressPath } from '#lib/addresses/page-address.ts'
import { attribute, type HtmlTree } from './html-tree.ts'
import type { TextWeight } from './text-weight.ts'

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
