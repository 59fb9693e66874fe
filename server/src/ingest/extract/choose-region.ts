import { attribute, type HtmlNode, type HtmlTree } from './html-tree.ts'
import type { TextWeight } from './text-weight.ts'

/**
 * Where documentation generators put a page's text, most telling first. A page matches the first row of which it has an
 * element; of several elements the one with the most text is taken.
 */
const KNOWN: ((node: HtmlNode) => boolean)[] = [
  hasClass('theme-doc-markdown'),
  hasClass('vp-doc'),
  hasClass('md-content__inner'),
  hasClass('rst-content'),
  (node) => attribute(node, 'itemprop') === 'articleBody',
  (node) =>
    node.tag === 'div' && attribute(node, 'role') === 'main' && /\b(?:body|document)\b/.test(attribute(node, 'class')),
  hasClass('nextra-content'),
  hasClass('markdown-body'),
  (node) => attribute(node, 'id') === 'mw-content-text',
  (node) => BODY_NAME.test(attribute(node, 'class')) && BLOCK.has(node.tag),
  (node) => node.tag === 'main',
  (node) => attribute(node, 'role') === 'main',
  (node) => node.tag === 'article',
]

/** The names that blogs and news sites give the body of an article. */
const BODY_NAME =
  /(?:^|\s)(?:js-)?(?:article|post|entry|story|blog-?post|news)[-_]*(?:body|content|text|main)(?:[-_]*(?:inner|text|wrapper|html))?(?:\s|$)/i
const BLOCK = new Set(['div', 'section', 'article', 'main'])

/** Text outside of links that a known region must hold before it is believed, as a share of the page's. */
const MIN_KNOWN_SHARE = 0.4
/** The same for the only element of its kind: among teasers of other pages and long footers, an article can be small. */
const MIN_SINGLE_SHARE = 0.08
/** While one child holds this share of the text, the region is inside it. */
const DESCEND_SHARE = 0.85

/** Index of the element that holds the page's text. */
export function chooseRegion(tree: HtmlTree, weight: TextWeight): number {
  const body = Math.max(
    0,
    tree.findIndex((node) => node.tag === 'body'),
  )
  const plain = (index: number) => (weight.all[index] ?? 0) - (weight.linked[index] ?? 0)
  const total = plain(body)
  for (const known of KNOWN) {
    const { best, count } = heaviest(tree, known, plain)
    if (best >= 0 && plain(best) >= (count === 1 ? MIN_SINGLE_SHARE : MIN_KNOWN_SHARE) * total) return best
  }
  return descend(tree, body, plain)
}

/** The matching element with the most text, and how many match; those inside the best are not counted. */
function heaviest(tree: HtmlTree, matches: (node: HtmlNode) => boolean, plain: (index: number) => number) {
  let best = -1
  let count = 0
  for (let i = 0; i < tree.length; i++) {
    const node = tree[i]
    if (node === undefined || node.tag === '' || !matches(node)) continue
    if (best < 0 || i >= (tree[best]?.end ?? 0)) count++
    if (best < 0 || plain(i) > plain(best)) best = i
  }
  return { best, count }
}

/** Goes down from the body while one child holds nearly all of the text that is not links. */
function descend(tree: HtmlTree, from: number, plain: (index: number) => number): number {
  let region = from
  for (;;) {
    const parent = tree[region]
    if (parent === undefined) return region
    let heavy = -1
    for (let i = region + 1; i < parent.end; i = tree[i]?.end ?? parent.end) {
      if (tree[i]?.tag !== '' && (heavy < 0 || plain(i) > plain(heavy))) heavy = i
    }
    if (heavy < 0 || plain(heavy) < DESCEND_SHARE * plain(region) || !isContainer(tree[heavy])) return region
    region = heavy
  }
}

function isContainer(node: HtmlNode | undefined): boolean {
  return (
    node !== undefined &&
    ['div', 'section', 'article', 'main', 'body', 'td', 'table', 'tbody', 'tr', 'form', 'center'].includes(node.tag)
  )
}

function hasClass(name: string): (node: HtmlNode) => boolean {
  const pattern = new RegExp(`(?:^|\\s)${name}(?:\\s|$)`)
  return (node) => {
    const names = attribute(node, 'class')
    return names !== '' && pattern.test(names)
  }
}
