import { attribute, type HtmlNode, type HtmlTree } from './html-tree.ts'
import { FOLDED, HIDDEN_STYLE, MARK_NAMES, NOISE_ROLES, NOISE_TAGS, REGION_NAMES } from './noise-rules.ts'
import type { TextWeight } from './text-weight.ts'

/** A region named like noise is kept when it holds more than this share of the text, unless that is mostly links. */
const MAX_NOISE_SHARE = 0.3
const LINKY = 0.5

type Verdict = 'keep' | 'mark' | 'region'

/**
 * Drops what is not the page's text within `[start, end)`: hidden parts, navigation, permalinks, buttons, banners.
 * Weights are of the tree before this pass. `lenient` keeps what is hidden: some pages show themselves by script.
 */
export function dropNoise(tree: HtmlTree, weight: TextWeight, start: number, end: number, lenient = false): void {
  const verdicts = new Map<string, Verdict>()
  const total = Math.max(1, weight.all[start] ?? 0)
  const judge = (names: string): Verdict => {
    let verdict = verdicts.get(names)
    if (verdict === undefined) {
      verdict = MARK_NAMES.test(names) ? 'mark' : REGION_NAMES.test(names) ? 'region' : 'keep'
      verdicts.set(names, verdict)
    }
    return verdict
  }
  for (let i = start + 1; i < end; i++) {
    const node = tree[i]
    if (node === undefined || node.tag === '') continue
    if (!node.dropped && isNoise(node, i, judge)) node.dropped = true
    // Inside a code block only the code's own reader knows what is decoration.
    if (node.dropped || node.tag === 'pre') i = node.end - 1
  }

  function isNoise(node: HtmlNode, index: number, verdictOf: (names: string) => Verdict): boolean {
    if (NOISE_TAGS.has(node.tag)) return true
    if (node.tag === 'aside' && !isAdmonition(node) && !isSidenote(node, index)) return true
    if (!lenient && isHidden(node)) return true
    if (node.tag === 'pre' || node.tag === 'code' || node.tag === 'html' || node.tag === 'body' || node.tag === 'main')
      return false
    const role = attribute(node, 'role')
    if (role !== '' && NOISE_ROLES.has(role)) return true
    const names = `${attribute(node, 'class')} ${attribute(node, 'id')}`
    if (names === ' ') return false
    const verdict = verdictOf(names)
    if (verdict === 'keep') return false
    if (verdict === 'mark') return !/^h[1-6]$/.test(node.tag)
    return (weight.all[index] ?? 0) <= MAX_NOISE_SHARE * total || isLinky(index)
  }

  function isLinky(index: number): boolean {
    return (weight.linked[index] ?? 0) > LINKY * (weight.all[index] ?? 0)
  }

  /** A note beside the text it belongs to: inside the article, without links to elsewhere for the most part. */
  function isSidenote(node: HtmlNode, index: number): boolean {
    return tree[start]?.tag !== 'body' && attribute(node, 'class') === '' && !isLinky(index)
  }
}

function isHidden(node: HtmlNode): boolean {
  const { attribs } = node
  if (node.tag === 'body') return false
  if (attribs['aria-hidden'] === 'true') return true
  const style = attribs['style']
  const hidden = attribs['hidden'] !== undefined || (style !== undefined && HIDDEN_STYLE.test(style))
  return hidden && !isFolded(node)
}

/** Tabs, accordions and folded callouts are hidden until someone asks for them, and are text all the same. */
function isFolded({ attribs }: HtmlNode): boolean {
  if (attribs['role'] === 'tabpanel' || attribs['hidden'] === 'until-found') return true
  return FOLDED.test(`${attribs['class'] ?? ''} ${attribs['id'] ?? ''}`)
}

/** Callouts are asides in several generators, and belong to the text. */
function isAdmonition(node: HtmlNode): boolean {
  return /admonition|callout|alert|note|tip|warning|caution|danger|info|important|hint|starlight-aside/i.test(
    attribute(node, 'class'),
  )
}
