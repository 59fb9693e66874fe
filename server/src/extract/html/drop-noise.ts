import { elementAt } from '#lib/element-at.ts'
import { attribute, type HtmlNode, type HtmlTree, textOf, type TextWeight } from './html-tree.ts'
import { isEditor } from './code-text.ts'
import { createContentsFinder, isReferenceNoise } from './generator-noise.ts'
import { oneLine } from '#lib/text/one-line.ts'

/**
 * Names of noise in site generators and themes. Patterns match class names and ids as a whole or at word boundaries, so
 * that `content-with-sidebar` is not a sidebar.
 */

/** Elements that never contain page text. */
const NOISE_TAGS = new Set(
  'title nav footer button input select textarea dialog iframe object embed video audio canvas map link meta rp form-actions'.split(
    ' ',
  ),
)

const NOISE_ROLES = new Set(
  'navigation banner contentinfo search complementary dialog alertdialog menu menubar toolbar tooltip button'.split(
    ' ',
  ),
)

/** Always dropped: marks on text rather than regions of a page. */
const MARK_NAMES =
  /(?:^|\s)(?:header-?anchor|heading-?anchor|headerlink|hash-?link|anchor-?(?:link|js-link|icon|hash)|anchorjs-link|permalink|heading-?permalink|octicon-link|sr-only|visually-?hidden|screen-reader-text|skip-?link|skip-to-content|copy-?(?:btn|button|code|link|page)?|copybtn|btn-clipboard|clipboard|viewcode-link|viewcode-back|edit-?(?:link|page|this-page|button)|edit-on-github|src-?link|line-?numbers?(?:-wrapper|-rows)?|lineno|linenos|linenodiv|lang|source-lang|source-toolbox|hideme|src|src rightside|md-content__button|print:(?:nx-|x:)?hidden|hover-link|doc-anchor|mw-editsection|reference-count|code-?title-icon|toc-?toggle|back-?to-?top|print-?(?:only|hide)|noprint|d-print-only|rustdoc-breadcrumbs|out-of-band|source-link|test-arrow)(?:\s|$)/i

/** Dropped if they also look like noise: regions with mostly links, or with little of the page's text. */
const REGION_NAMES =
  /(?:^|\s)(?:(?:(?:site|page|post|article|entry|main|global|top|left|right|bottom|docs?|mobile|desktop|sticky|header|footer|theme|vp|md|sl|local|blog|user|app|js|jet|is|primary|secondary|wp|block|elementor|single|inline|floating|fixed|the|my|nextra|bd|sphinx|rst|mkdocs|gitbook)[-_]+)*(?:nav|navbar|navigation|navbox|side-?bar|side-?nav|menu|bread-?crumbs?|pagination|pager|paginator|toc|table-of-contents|contents-list|on-this-page|outline|footer|cookies?|consent|gdpr|banner|announcement(?:-bar)?|announcebar|masthead|toolbar|feedback|helpful|rating|share|sharing|share-?(?:buttons?|bar|links|tools)|social|social-?(?:links|share|media|icons|buttons)|related|related-?(?:posts|articles|content|stories|links|pages)|recommended|recommendations|read-?next|read-?more|more-?stories|newsletter|subscribe|subscription|signup|sign-?up|promo|promotion|sponsors?|advert|advertisement|ads?|ad-?(?:slot|unit|container|wrapper)|popup|modal|overlay|search|search-?(?:box|bar|form)|theme-?(?:toggle|switch|switcher)|lang(?:uage)?-?(?:switcher|selector|picker)|version-?(?:switcher|selector|picker)|last-?(?:updated|modified)|edit-?(?:meta|info)|page-?meta|page-?(?:nav|navigation|actions)|post-?(?:nav|navigation|meta|footer)|entry-?(?:meta|footer|utility)|prev-?next|next-?prev|doc-?(?:nav|footer)|contributors|comments?|comment-?(?:list|form|section)|disqus(?:_thread)?|respond|discussion|trackbacks|author-?(?:box|bio|card|info)|about-?author|tags?-?(?:list|links|cloud)?|byline|dateline|login|paywall|widget-area|most-?(?:read|popular)|trending|hidden|utility|jump-?links?|sharedaddy|jp-relatedposts|addtoany\w*(?!\w)|addthis\w*(?!\w)|print-?links?|disclaimers?|pinned-post|recent-?posts|site-?(?:info|title|header)|skip-?nav|no-?search|outbrain|taboola))(?:[-_]+(?:wrapper|container|inner|bar|list|block|section|box|links?|items?|row|widget|area|left|right|top|bottom|desktop|mobile|content|component|\d+))*(?:\s|$)/i

/** Menus and tooltips that the style sheet hides until they are opened. They would join the sentence around them. */
const MENU_NAMES =
  /(?:^|\s)(?:[a-z]{1,20}[-_]+){0,3}(?:drop-?downs?[-_]+(?:menu|content|list|items?|panel|options)|(?:sub|mega|context|popup|hover)[-_]*menu|fly-?out|tool-?tip[-_]*(?:text|content|inner))(?:\s|$)/i
/** Elements that a menu does not have. A fold with a name like this has them. */
const PROSE_TAGS = new Set(['p', 'pre', 'table', 'dl', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote'])
/** Nodes of a menu that are searched for prose. */
const MOST_OF_MENU = 1_000
/** Elements of a sentence. A list of links inside one is a menu, whatever its name. */
const INLINE_TAGS = new Set(['span', 'a', 'b', 'strong', 'i', 'em', 'code', 'label'])

/** Styles that hide text: not displayed, too small, transparent, off the page, or clipped. */
const HIDDEN_STYLE =
  /display:\s*none|visibility:\s*hidden|font-size:\s*(?:0(?:\.\d+)?(?:px|em|rem|pt|%)?|1px)\s*(?:;|!|$)|opacity:\s*0(?:\.0+)?\s*(?:;|!|$)|(?:^|[\s;])color:\s*transparent|(?:left|top|right|text-indent):\s*-\d{3,}(?:px|em|rem)|(?:^|[\s;])clip:\s*rect\(\s*[01]|clip-path:\s*inset\(\s*(?:50|100)%|transform:\s*scale\(\s*0\s*\)/i

/** Names of parts that are hidden until opened. */
const FOLDED =
  /(?:^|[\s_-])(?:tab-?(?:panel|pane|content|item)?s?|panel|collaps(?:e|ed|ible)|accordion|expand(?:able|ed)?|spoiler|toggle-content|fold(?:able|ed)?|callout-content|answer|footnotes?|footnoteContent|fna?)(?:[\s_-]|$)/i

/** Keep a region with a noise name if it holds more than this share of the text, unless it consists mostly of links. */
const MAX_NOISE_SHARE = 0.3
const LINKY = 0.5
const HAS_TEXT = /[\p{L}\p{N}]/u

/** Several generators write callouts as asides. They belong to the text. */
const ADMONITION = /admonition|callout|alert|note|tip|warning|caution|danger|info|important|hint/i

/** Words that themes write or hide in a permalink. */
const PERMALINK_LABEL = /^(?:(?:perma|direct )?link(?: to |$)|anchor$|copy link|section titled|navigate to)/i

/** Elements that are never dropped because of their names. */
const KEPT_TAGS = new Set(['pre', 'code', 'html', 'body', 'main'])

/** Elements with ids made from the terms that they show, such as `#pagination`. Only their classes count. */
const NAMED_TAGS = new Set('h1 h2 h3 h4 h5 h6 dt th caption a code'.split(' '))
/** Nodes of a section up to the end of its heading. */
const MOST_TO_PERMALINK = 40

type Verdict = 'keep' | 'mark' | 'region' | 'menu'

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
  if (isInlineList(pass.tree, node) && isLinky(pass.weight, index)) return true
  if (node.tag === 'aside') return !isSidenote(pass, index, node)
  if (node.tag === 'a' && isPermalink(pass, index, node)) return true
  if (isReferenceNoise(pass.tree, index, node)) return true
  if (!pass.lenient && isHidden(node)) return true
  if (attribute(node, 'role') === 'tabpanel') return false
  if (attribute(node, 'data-component-part') === 'step-number') return true
  return !KEPT_TAGS.has(node.tag) && (NOISE_ROLES.has(attribute(node, 'role')) || isNamedNoise(pass, index, node))
}

/** Returns true for a list inside an element of a sentence. */
function isInlineList(tree: HtmlTree, node: HtmlNode): boolean {
  return (
    (node.tag === 'ul' || node.tag === 'ol' || node.tag === 'menu') && INLINE_TAGS.has(tree[node.parent]?.tag ?? '')
  )
}

function isNamedNoise(pass: Pass, index: number, node: HtmlNode): boolean {
  const id = NAMED_TAGS.has(node.tag) ? '' : attribute(node, 'id')
  const verdict = judge(pass.verdicts, `${attribute(node, 'class')} ${id}`)
  if (verdict === 'keep' || (id !== '' && isSectionOf(pass.tree, index, node))) return false
  if (verdict === 'mark') return !/^h[1-6]$/.test(node.tag) && !(node.tag === 'a' && isNameInLink(pass, index, node))
  if (verdict === 'menu') return isMenu(pass.tree, index, node)
  const { weight, region } = pass
  return elementAt(weight.all, index) <= MAX_NOISE_SHARE * elementAt(weight.all, region) || isLinky(weight, index)
}

/** Returns true for a section with the id that generators make from its heading: `#search` with a permalink to it. */
function isSectionOf(tree: HtmlTree, index: number, { tag, end, attribs }: HtmlNode): boolean {
  if (tag !== 'section' && tag !== 'div') return false
  let headingEnd = 0
  for (let i = index + 1; i < Math.min(end, index + MOST_TO_PERMALINK); i++) {
    const node = tree[i]
    if (node === undefined || (node.tag === '' && i >= headingEnd && node.text.trim() !== '')) return false
    if (headingEnd === 0 && /^h[1-6]$/.test(node.tag)) headingEnd = node.end
    if (i < headingEnd && attribute(node, 'href') === `#${attribs['id']}`) return true
  }
  return false
}

/**
 * Returns true for a permalink that encloses a name: in manual pages by mandoc a term, in pages of VuePress a whole
 * heading. Beside the text of a heading, a permalink only has a symbol or a label.
 */
function isNameInLink({ tree, weight }: Pass, index: number, node: HtmlNode): boolean {
  if (!attribute(node, 'href').startsWith('#')) return false
  const text = oneLine(textOf(tree, index, node.end))
  if (!HAS_TEXT.test(text) || PERMALINK_LABEL.test(text.replace(/^[^\p{L}\p{N}]+/u, ''))) return false
  const around = tree[node.parent]
  return !around || !/^h[1-6]$/.test(around.tag) || elementAt(weight.all, node.parent) === elementAt(weight.all, index)
}

function judge(verdicts: Map<string, Verdict>, names: string): Verdict {
  if (names === ' ') return 'keep'
  let verdict = verdicts.get(names)
  if (verdict === undefined) {
    verdict = MARK_NAMES.test(names)
      ? 'mark'
      : REGION_NAMES.test(names)
        ? 'region'
        : MENU_NAMES.test(names)
          ? 'menu'
          : 'keep'
    verdicts.set(names, verdict)
  }
  return verdict
}

function isMenu(tree: HtmlTree, index: number, { end }: HtmlNode): boolean {
  for (let i = index + 1; i < Math.min(end, index + MOST_OF_MENU); i++)
    if (PROSE_TAGS.has(tree[i]?.tag ?? '')) return false
  return true
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
