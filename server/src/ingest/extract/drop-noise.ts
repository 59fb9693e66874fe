import { attribute, type HtmlNode, type HtmlTree, textOf } from './html-tree.ts'
import { isEditor } from './code-text.ts'
import { createContentsFinder } from './find-contents.ts'
import { isReferenceNoise } from './reference-noise.ts'
import { FOLDED, HIDDEN_STYLE, MARK_NAMES, NOISE_ROLES, NOISE_TAGS, REGION_NAMES } from './noise-rules.ts'
import type { TextWeight } from './text-weight.ts'

/** A region named like noise is kept when it holds more than this share of the text, unless that is mostly links. */
const MAX_NOISE_SHARE = 0.3
const LINKY = 0.5
const HAS_TEXT = /[\p{L}\p{N}]/u
/** Callouts are asides in several generators, and belong to the text. */
const ADMONITION = /admonition|callout|alert|note|tip|warning|caution|danger|info|important|hint/i
/** Elements that are never dropped for their names. */
const KEPT_TAGS = new Set(['pre', 'code', 'html', 'body', 'main'])

type Verdict = 'keep' | 'mark' | 'region'

type Pass = {
  tree: HtmlTree
  weight: TextWeight
  /** Index of the region that is cleaned. */
  region: number
  /** Keep what is hidden: some pages show themselves by script. */
  lenient: boolean
  /** What is known of combinations of class and id, which repeat all over a page. */
  verdicts: Map<string, Verdict>
}

/**
 * Drops what is not the page's text inside a region: hidden parts, navigation, permalinks, buttons, banners.
 * Weights are of the tree before this pass.
 */
export function dropNoise(input: Omit<Pass, 'verdicts'>): void {
  const pass: Pass = { ...input, verdicts: new Map() }
  const { tree, region, weight } = pass
  const isContents = createContentsFinder(tree, weight)
  let headings = 0
  let tableEnd = 0
  const end = tree[region]?.end ?? 0
  for (let i = region + 1; i < end; i++) {
    const node = tree[i]
    if (node === undefined || node.tag === '') continue
    if (node.tag === 'table') tableEnd = Math.max(tableEnd, node.end)
    const mayBeContents = headings < 2 && i >= tableEnd
    if (!node.dropped && (isNoise(pass, i, node) || (mayBeContents && isContents(i, node)))) node.dropped = true
    if (!node.dropped && /^h[1-6]$/.test(node.tag)) headings++
    // Inside a code block only the code's own reader knows what is decoration.
    if (node.dropped || node.tag === 'pre') i = node.end - 1
  }
}

function isNoise(pass: Pass, index: number, node: HtmlNode): boolean {
  if (NOISE_TAGS.has(node.tag)) return !isEditor(node)
  if (node.tag === 'aside') return !isSidenote(pass, index, node)
  if (node.tag === 'a' && isPermalink(pass, index, node)) return true
  if (isReferenceNoise(pass.tree, index, node)) return true
  if (!pass.lenient && isHidden(node)) return true
  if (attribute(node, 'role') === 'tabpanel') return false
  if (attribute(node, 'data-component-part') === 'step-number') return true
  return !KEPT_TAGS.has(node.tag) && (NOISE_ROLES.has(attribute(node, 'role')) || isNamedNoise(pass, index, node))
}

function isNamedNoise(pass: Pass, index: number, node: HtmlNode): boolean {
  const verdict = judge(pass.verdicts, `${attribute(node, 'class')} ${attribute(node, 'id')}`)
  if (verdict === 'keep') return false
  if (verdict === 'mark') return !/^h[1-6]$/.test(node.tag)
  const { weight, region } = pass
  return (weight.all[index] ?? 0) <= MAX_NOISE_SHARE * (weight.all[region] ?? 0) || isLinky(weight, index)
}

function judge(verdicts: Map<string, Verdict>, names: string): Verdict {
  if (names === ' ') return 'keep'
  let verdict = verdicts.get(names)
  if (verdict === undefined) {
    verdict = MARK_NAMES.test(names) ? 'mark' : REGION_NAMES.test(names) ? 'region' : 'keep'
    verdicts.set(names, verdict)
  }
  return verdict
}

function isLinky(weight: TextWeight, index: number): boolean {
  return (weight.linked[index] ?? 0) > LINKY * (weight.all[index] ?? 0)
}

/** A callout, or a note beside the text it belongs to: inside the article and mostly without links to elsewhere. */
function isSidenote({ tree, weight, region }: Pass, index: number, node: HtmlNode): boolean {
  const names = attribute(node, 'class')
  return names === '' ? tree[region]?.tag !== 'body' && !isLinky(weight, index) : ADMONITION.test(names)
}

/** A link to a place in the page that shows a sign and no word. */
function isPermalink({ tree, weight }: Pass, index: number, node: HtmlNode): boolean {
  if (!attribute(node, 'href').startsWith('#') || (weight.all[index] ?? 0) > 2) return false
  return !HAS_TEXT.test(textOf(tree, index, node.end))
}

function isHidden(node: HtmlNode): boolean {
  const { attribs } = node
  if (node.tag === 'body') return false
  if (attribs['role'] === 'tabpanel') return false
  // What is read aloud instead of the title of a callout is not in the text.
  if (attribs['aria-hidden'] === 'true') return !/aside__title/.test(attribs['class'] ?? '')
  const style = attribs['style']
  const hidden = attribs['hidden'] !== undefined || (style !== undefined && HIDDEN_STYLE.test(style))
  return hidden && !isFolded(node)
}

/** Tabs, accordions and folded callouts are hidden until someone asks for them, and are text all the same. */
function isFolded({ attribs }: HtmlNode): boolean {
  if (attribs['hidden'] === 'until-found') return true
  return FOLDED.test(`${attribs['class'] ?? ''} ${attribs['id'] ?? ''}`)
}
