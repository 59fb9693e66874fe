import { addressPath } from '#lib/address-path.ts'
import { attribute, type HtmlTree } from './html-tree.ts'
import type { TextWeight } from './text-weight.ts'

/** What generators make beside the documentation, to find one's way in it. */
export type FindingAid = 'index_page' | 'source_view'

/** A title that says so is believed when this much of the text is links, and there are many of them. */
const LINKED = 0.7
/** The same for the whole page, where its address says it as well. */
const LINKED_ON_PATH = 0.4
const LEAST_LINKS = 30

const INDEX_TITLE =
  /^(?:[\w.’'-]{1,30} ){0,3}(?:index|contents|site ?map|cross-?reference|all (?:classes|interfaces|packages|items)(?: and \w+)?)(?:\s*[\u2013\u2014:-]\s*\S{1,20})?$/i
const INDEX_PATH =
  /(?:^|\/)(?:genindex(?:-\w+)?|py-modindex|modindex|bookindex|index-all|allclasses(?:-index)?|_modules\/index)(?:\.x?html?)?$/i

/** Listings by Sphinx and Javadoc stand in folders of their own, those of Doxygen in files. */
const SOURCE_PATH = /\/(?:_modules|src-html)\/|_source\.x?html?$/

/** Letters of an index by DocBook, which names what it leads to beside each link. */
const INDEX_PART = /(?:^|\s)indexdiv(?:\s|$)/
const LEAST_PARTS = 3

/**
 * Tells indices, where all is links to other pages, and listings of source code from documentation: each repeats the
 * words of the pages that it leads to, and answers nothing. Null for a page that is neither. `start` is where the region
 * of the text begins.
 */
export function findingAid(
  tree: HtmlTree,
  { url, title, weight, start }: { url: string; title: string; weight: TextWeight; start: number },
): FindingAid | null {
  const path = addressPath(url)
  if (isSourceView(tree, path)) return 'source_view'
  if (tree.filter((node) => INDEX_PART.test(attribute(node, 'class'))).length >= LEAST_PARTS) return 'index_page'
  const isLinked = (at: number, share: number) => (weight.linked[at] ?? 0) >= share * (weight.all[at] ?? 0)
  // Where all is links, the region of the text may be the footer.
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
