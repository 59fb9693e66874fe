import { elementAt } from '#lib/element-at.ts'
import { attribute, type HtmlNode, type HtmlTree, textOf } from './html-tree.ts'
import { isEditor } from './code-text.ts'
import { createContentsFinder } from './find-contents.ts'
import { isReferenceNoise } from './reference-noise.ts'
import { FOLDED, HIDDEN_STYLE, MARK_NAMES, NOISE_ROLES, NOISE_TAGS, REGION_NAMES } from './noise-rules.ts'
import type { TextWeight } from './text-weight.ts'

/** Keep a region with a noise name if it holds more than this share of the text, unless it consists mostly of links. */
const MAX_NOISE_SHARE = 0.3
const LINKY = 0.5
const HAS_TEXT = /[\p{L}\p{N}]/u
/** Several generators write callouts as asides. They belong to the text. */
const ADMONITION = /admonition|callout|alert|note|tip|warning|caution|danger|info|important|hint/i
/** Elements that are never dropped because of their names. */
const KEPT_TAGS = new Set(['pre', 'code', 'html', 'body', 'main'])

type Verdict = 'keep' | 'mark' | 'region'

type Pass = {
  tree: HtmlTree
  weight: TextWeight
  /** Index of the region to clean. */
  region: number
  /** True to keep hidden parts, because scripts show them on some pages. */
  lenient: boolean
  /** Cached verdicts by class and id: the same combinations recur across a page. */
  verdicts: Map<string, Verdict>
}

/**
 * Drops noise inside a region: hidden parts, navigation, permalinks, buttons, banners. `weight` describes the tree
 * before this pass.
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
    // Only the code reader can recognise decoration inside a code block.
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
  return elementAt(weight.all, index) <= MAX_NOISE_SHARE * elementAt(weight.all, region) || isLinky(weight, index)
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
  return elementAt(weight.linked, index) > LINKY * elementAt(weight.all, index)
}

/** Returns true for a callout, or for a note inside the article that consists mostly of unlinked text. */
function isSidenote({ tree, weight, region }: Pass, index: number, node: HtmlNode): boolean {
  const names = attribute(node, 'class')
  return names === '' ? tree[region]?.tag !== 'body' && !isLinky(weight, index) : ADMONITION.test(names)
}

/** Returns true for a link within the page that shows a symbol and no word. */
function isPermalink({ tree, weight }: Pass, index: number, node: HtmlNode): boolean {
  if (!attribute(node, 'href').startsWith('#') || elementAt(weight.all, index) > 2) return false
  return !HAS_TEXT.test(textOf(tree, index, node.end))
}

function isHidden(node: HtmlNode): boolean {
  const { attribs } = node
  if (node.tag === 'body') return false
  if (attribs['role'] === 'tabpanel') return false
  // Some callout titles are hidden from screen readers, which announce a label instead. The title is visible text.
  if (attribs['aria-hidden'] === 'true') return !/aside__title/.test(attribs['class'] ?? '')
  const style = attribs['style']
  const hidden = attribs['hidden'] !== undefined || (style !== undefined && HIDDEN_STYLE.test(style))
  return hidden && !isFolded(node)
}

/** Tabs, accordions and folded callouts are hidden until opened, but they are text. */
function isFolded({ attribs }: HtmlNode): boolean {
  if (attribs['hidden'] === 'until-found') return true
  return FOLDED.test(`${attribs['class'] ?? ''} ${attribs['id'] ?? ''}`)
}
