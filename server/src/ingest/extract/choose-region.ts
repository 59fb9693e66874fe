import { attribute, type HtmlNode, type HtmlTree } from './html-tree.ts'
import type { TextWeight } from './text-weight.ts'

/**
 * Where generators and themes put a page's text, most telling first: class names, or a test. A page is taken at the
 * first row of which it has an element with enough of its text; of several such elements the one with the most text.
 */
const KNOWN: (RegExp | ((node: HtmlNode, names: string) => boolean))[] = [
  className('theme-doc-markdown'),
  className('vp-doc'),
  className('md-content__inner'),
  className('rst-content'),
  (node) => attribute(node, 'itemprop') === 'articleBody',
  (node, names) => attribute(node, 'role') === 'main' && /\b(?:body|document)\b/.test(names),
  className('nextra-content'),
  className('sl-markdown-content'),
  className('markdown-body'),
  (node) => attribute(node, 'id') === 'mw-content-text',
  /(?:^|\s)(?:js-)?(?:article|post|entry|story|blog-?post|news)[-_]*(?:body|content|text|main)(?:[-_]*(?:inner|text|wrapper|html))?(?:\s|$)/i,
  (node) => node.tag === 'main',
  (node) => attribute(node, 'role') === 'main',
  (node) => node.tag === 'article',
]

const CONTAINERS = new Set('div section article main body td table tbody tr form center'.split(' '))

/** Text outside of links that a known region must hold before it is believed, as a share of the page's. */
const MIN_KNOWN_SHARE = 0.4
/** The same for the only element of its kind: among teasers of other pages and long footers, an article can be small. */
const MIN_SINGLE_SHARE = 0.08
/** While one child holds this share of the text, the region is inside it. */
const DESCEND_SHARE = 0.85
/** Characters of a paragraph below a heading that introduces the rest; the shortest name of a manual page has as many. */
const LEAST_INTRODUCTION = 20

const NOWHERE: HtmlNode = { tag: '', attribs: {}, text: '', parent: -1, end: 0, dropped: false }

type Candidate = { index: number; count: number }

/** Index of the element that holds the page's text. */
export function chooseRegion(tree: HtmlTree, weight: TextWeight): number {
  const plain = (index: number) => (weight.all[index] ?? 0) - (weight.linked[index] ?? 0)
  const body = Math.max(
    0,
    tree.findIndex((node) => node.tag === 'body'),
  )
  const total = plain(body)
  for (const candidate of candidates(tree, plain)) {
    const least = candidate?.count === 1 ? MIN_SINGLE_SHARE : MIN_KNOWN_SHARE
    if (candidate !== undefined && plain(candidate.index) >= least * total) return candidate.index
  }
  return descend(tree, body, plain)
}

/** For each row of KNOWN the matching element with the most text, and how many match outside of it. */
function candidates(tree: HtmlTree, plain: (index: number) => number): (Candidate | undefined)[] {
  const found: (Candidate | undefined)[] = KNOWN.map(() => undefined)
  for (let index = 0; index < tree.length; index++) {
    const node = tree[index]
    if (node === undefined || node.dropped || !CONTAINERS.has(node.tag)) continue
    const names = attribute(node, 'class')
    for (let row = 0; row < KNOWN.length; row++) {
      const known = KNOWN[row]
      const matches =
        known === undefined ? false : known instanceof RegExp ? names !== '' && known.test(names) : known(node, names)
      if (!matches) continue
      const best = found[row]
      if (best === undefined) found[row] = { index, count: 1 }
      else {
        if (index >= (tree[best.index]?.end ?? 0)) best.count++
        if (plain(index) > plain(best.index)) best.index = index
      }
    }
  }
  return found
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
    if (
      heavy < 0 ||
      isPartOfSeries(tree, region, heavy) ||
      plain(heavy) < DESCEND_SHARE * plain(region) ||
      !CONTAINERS.has(tree[heavy]?.tag ?? '')
    )
      return region
    if (isHeaded(tree, region, { child: heavy, plain })) return region
    region = heavy
  }
}

/**
 * Whether the text begins before the child that holds most of it: with a heading of the parent's own, below which an
 * introduction stands, or with a section in the page's header, as the name of AsciiDoc's manual pages.
 */
function isHeaded(
  tree: HtmlTree,
  parent: number,
  { child, plain }: { child: number; plain: (index: number) => number },
): boolean {
  let title = false
  let section = false
  for (let i = parent + 1; i < child; i++) {
    const node = tree[i]
    if (node === undefined) continue
    if (node.dropped) i = node.end - 1
    else if (node.tag === 'h1' || node.tag === 'h2') {
      section ||= node.parent === parent || (title && node.tag === 'h2')
      title ||= node.tag === 'h1'
    } else if (section && node.tag === 'p' && plain(i) > LEAST_INTRODUCTION) return true
  }
  return false
}

/** Whether an element is one of several sections of a page, by its class: the longest is not the whole. */
function isPartOfSeries(tree: HtmlTree, parent: number, part: number): boolean {
  const names = attribute(tree[part] ?? NOWHERE, 'class')
  if (names === '' || !/(?:^|[\s_-])(?:ref)?sect/.test(names)) return false
  for (let i = parent + 1; i < (tree[parent]?.end ?? 0); i = tree[i]?.end ?? Number.POSITIVE_INFINITY)
    if (i !== part && tree[i]?.tag === tree[part]?.tag && attribute(tree[i] ?? NOWHERE, 'class') === names) return true
  return false
}

function className(name: string): RegExp {
  return new RegExp(`(?:^|\\s)${name}(?:\\s|$)`)
}
