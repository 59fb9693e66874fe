import { elementAt } from '#lib/arrays.ts'
import { attribute, childrenOf, type HtmlNode, type HtmlTree } from './html-tree.ts'

/**
 * Tests for the text region of known generators and themes, most specific first. The first row with a large enough
 * match wins; within a row, the match with the most text.
 */
const KNOWN: ((node: HtmlNode) => boolean)[] = [
  ({ classes }) => classes.has('theme-doc-markdown'),
  ({ classes }) => classes.has('vp-doc'),
  ({ classes }) => classes.has('md-content__inner'),
  ({ classes }) => classes.has('rst-content'),
  (node) => attribute(node, 'itemprop') === 'articleBody',
  (node) => attribute(node, 'role') === 'main' && /\b(?:body|document)\b/.test(attribute(node, 'class')),
  ({ classes }) => classes.has('nextra-content'),
  ({ classes }) => classes.has('sl-markdown-content'),
  ({ classes }) => classes.has('markdown-body'),
  (node) => attribute(node, 'id') === 'mw-content-text',
  ({ attribs: { class: names } }) => names !== undefined && ARTICLE_BODY.test(names),
  (node) => node.tag === 'main',
  (node) => attribute(node, 'role') === 'main',
  (node) => node.tag === 'article',
]

const ARTICLE_BODY =
  /(?:^|\s)(?:js-)?(?:article|post|entry|story|blog-?post|news)[-_]*(?:body|content|text|main)(?:[-_]*(?:inner|text|wrapper|html))?(?:\s|$)/i

const CONTAINERS = new Set('div section article main body td table tbody tr form center'.split(' '))

/** Minimum share of the page's unlinked text in a known region. */
const MIN_KNOWN_SHARE = 0.4
/** Minimum share if only one element matches: an article can be small beside teasers and long footers. */
const MIN_SINGLE_SHARE = 0.08
/** While one child holds this share of the text, descend into it. */
const DESCEND_SHARE = 0.85
/** Minimum length of an introductory paragraph, in characters: the length of the shortest manual page name. */
const LEAST_INTRODUCTION = 20

/** Characters outside links. */
function plain({ length, linked }: HtmlNode): number {
  return length - linked
}

/** Returns the element that holds the page's text. */
export function chooseRegion(tree: HtmlTree): HtmlNode {
  const body = tree.find(({ tag }) => tag === 'body') ?? elementAt(tree, 0)
  const total = plain(body)
  for (const { best, count } of candidates(tree)) {
    const least = count === 1 ? MIN_SINGLE_SHARE : MIN_KNOWN_SHARE
    if (plain(best) >= least * total) return best
  }
  return descend(body)
}

/** Returns for each row of KNOWN the match with the most text, and the number of matches that are not nested in it. */
function candidates(tree: HtmlTree) {
  const found: ({ best: HtmlNode; count: number } | undefined)[] = KNOWN.map(() => undefined)
  for (const node of tree) {
    if (node.dropped || !CONTAINERS.has(node.tag)) continue
    for (let row = 0; row < KNOWN.length; row++) {
      if (!elementAt(KNOWN, row)(node)) continue
      const known = found[row]
      if (known === undefined) {
        found[row] = { best: node, count: 1 }
        continue
      }
      if (node.index >= known.best.end) known.count++
      if (plain(node) > plain(known.best)) known.best = node
    }
  }
  return found.filter((candidate) => candidate !== undefined)
}

function descend(body: HtmlNode): HtmlNode {
  let region = body
  for (;;) {
    let heavy: HtmlNode | null = null
    for (const child of childrenOf(region))
      if (child.tag !== '' && (heavy === null || plain(child) > plain(heavy))) heavy = child
    if (heavy === null || !CONTAINERS.has(heavy.tag) || plain(heavy) < DESCEND_SHARE * plain(region)) return region
    if (isPartOfSeries(region, heavy) || isHeaded(region, heavy)) return region
    region = heavy
  }
}

/**
 * Returns true if text starts before the heaviest child: an introduction below a heading of the parent, or a section in
 * the page header, such as the NAME section of AsciiDoc manual pages.
 */
function isHeaded(parent: HtmlNode, child: HtmlNode): boolean {
  let title = false
  let section = false
  for (let i = parent.index + 1; i < child.index; i++) {
    const node = elementAt(parent.tree, i)
    if (node.dropped) i = node.end - 1
    else if (node.tag === 'h1' || node.tag === 'h2') {
      section ||= node.parent === parent || (title && node.tag === 'h2')
      title ||= node.tag === 'h1'
    } else if (section && node.tag === 'p' && plain(node) > LEAST_INTRODUCTION) return true
  }
  return false
}

/** Returns true if the element has siblings of the same kind of section. The longest section is not the whole page. */
function isPartOfSeries(parent: HtmlNode, part: HtmlNode): boolean {
  const names = attribute(part, 'class')
  if (part.tag !== 'section' && !/(?:^|[\s_-])(?:ref)?sect/.test(names)) return false
  return childrenOf(parent).some(
    (other) => other !== part && other.tag === part.tag && !other.dropped && attribute(other, 'class') === names,
  )
}
