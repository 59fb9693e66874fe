import { elementAt } from '#lib/element-at.ts'
import { attribute, type HtmlNode, type HtmlTree, type TextWeight } from './html-tree.ts'

/**
 * Class names or tests for the text region of known generators and themes, most specific first. The first row with a
 * large enough match wins; within a row, the match with the most text.
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

/** Minimum share of the page's unlinked text in a known region. */
const MIN_KNOWN_SHARE = 0.4
/** Minimum share if only one element matches: an article can be small beside teasers and long footers. */
const MIN_SINGLE_SHARE = 0.08
/** While one child holds this share of the text, descend into it. */
const DESCEND_SHARE = 0.85
/** Minimum length of an introductory paragraph, in characters: the length of the shortest manual page name. */
const LEAST_INTRODUCTION = 20

const NOWHERE: HtmlNode = { tag: '', attribs: {}, text: '', parent: -1, end: 0, dropped: false }

type Candidate = { index: number; count: number }

/** Returns the index of the element that holds the page's text. */
export function chooseRegion(tree: HtmlTree, weight: TextWeight): number {
  const plain = (index: number) => elementAt(weight.all, index) - elementAt(weight.linked, index)
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

/** Returns for each row of KNOWN the match with the most text, and the number of matches that are not nested in it. */
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

/** Descends from the body while one child holds nearly all unlinked text. */
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
 * Returns true if text starts before the heaviest child: an introduction below a heading of the parent, or a section in
 * the page header, such as the NAME section of AsciiDoc manual pages.
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

/** Returns true if the element has siblings of the same kind of section. The longest section is not the whole page. */
function isPartOfSeries(tree: HtmlTree, parent: number, part: number): boolean {
  const node = tree[part] ?? NOWHERE
  const names = attribute(node, 'class')
  const isSection = node.tag === 'section' ? beginsWithHeading(tree, part) : /(?:^|[\s_-])(?:ref)?sect/.test(names)
  if (!isSection) return false
  for (let i = parent + 1; i < (tree[parent]?.end ?? 0); i = tree[i]?.end ?? Number.POSITIVE_INFINITY) {
    const other = tree[i]
    if (i === part || other?.tag !== node.tag || other.dropped || attribute(other, 'class') !== names) continue
    if (node.tag !== 'section' || beginsWithHeading(tree, i)) return true
  }
  return false
}

function beginsWithHeading(tree: HtmlTree, index: number): boolean {
  for (let i = index + 1; i < (tree[index]?.end ?? 0); i++) {
    const node = tree[i]
    if (node === undefined || (node.tag === '' && node.text.trim() !== '')) return false
    if (/^h[1-6]$/.test(node.tag)) return true
  }
  return false
}

function className(name: string): RegExp {
  return new RegExp(`(?:^|\\s)${name}(?:\\s|$)`)
}
