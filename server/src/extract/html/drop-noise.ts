import { elementAt } from '#lib/arrays.ts'
import { createAnchorPlaces, nameOf } from './anchors.ts'
import { isEditor } from './code-text.ts'
import {
  attribute,
  closest,
  findInside,
  HAS_TEXT,
  hasClass,
  type HtmlNode,
  isHeading,
  isShownText,
  lineOf,
  textBetween,
  textOf,
} from './html-tree.ts'
import names from './names.json' with { type: 'json' }

const NOISE_TAGS: ReadonlySet<string> = new Set(names.noiseTags)
const NOISE_ROLES: ReadonlySet<string> = new Set(names.noiseRoles)

/**
 * Names of noise in site generators and themes. Patterns match class names and ids as a whole or at word boundaries, so
 * that `content-with-sidebar` is not a sidebar. These are always dropped: marks on text rather than regions of a page.
 */
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
const MOST_OF_MENU = 1_000
const LIST_TAGS = new Set(['ul', 'ol', 'menu'])
const CONTENTS_TAGS = new Set(['ul', 'ol', 'dl', 'div', 'section'])
/** Elements of a sentence. A list of links inside one is a menu, whatever its name. */
const INLINE_TAGS = new Set(['span', 'a', 'b', 'strong', 'i', 'em', 'code', 'label'])

/** Tables of links to the neighbours of a section, and to its parts, in pages by Texinfo. */
const NAVIGATION_TABLES = new Set(['header', 'menu'])

/** Styles that hide text: not displayed, too small, transparent, off the page, or clipped. */
const HIDDEN_STYLE =
  /display:\s*none|visibility:\s*hidden|font-size:\s*(?:0(?:\.\d+)?(?:px|em|rem|pt|%)?|1px)\s*(?:;|!|$)|opacity:\s*0(?:\.0+)?\s*(?:;|!|$)|(?:^|[\s;])color:\s*transparent|(?:left|top|right|text-indent):\s*-\d{3,}(?:px|em|rem)|(?:^|[\s;])clip:\s*rect\(\s*[01]|clip-path:\s*inset\(\s*(?:50|100)%|transform:\s*scale\(\s*0\s*\)/i

/** Names of parts that are hidden until opened. */
const FOLDED =
  /(?:^|[\s_-])(?:tab-?(?:panel|pane|content|item)?s?|panel|collaps(?:e|ed|ible)|accordion|expand(?:able|ed)?|spoiler|toggle-content|fold(?:able|ed)?|callout-content|answer|footnotes?|footnoteContent|fna?)(?:[\s_-]|$)/i

/** Keep a region with a noise name if it holds more than this share of the text, unless it consists mostly of links. */
const MAX_NOISE_SHARE = 0.3
const LINKY = 0.5
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
const NAMES_OF_NOISE: readonly (readonly [RegExp, Verdict])[] = [
  [MARK_NAMES, 'mark'],
  [REGION_NAMES, 'region'],
  [MENU_NAMES, 'menu'],
]

/** `verdicts` are cached by class and id: the same combinations recur across a page. */
type Pass = { region: HtmlNode; lenient: boolean; verdicts: Map<string, Verdict> }

/**
 * Drops noise inside a region: hidden parts, navigation, permalinks, buttons, banners. Keeps hidden parts if `lenient`,
 * because scripts show them on some pages. The lengths of the nodes are those before this pass.
 */
export function dropNoise(region: HtmlNode, lenient: boolean): void {
  const { tree, end } = region
  const pass: Pass = { region, lenient, verdicts: new Map() }
  const isContents = createContentsFinder(region)
  let headings = 0
  let tableEnd = 0
  for (let i = region.index + 1; i < end; i++) {
    const node = elementAt(tree, i)
    if (node.tag === '') continue
    if (node.tag === 'table') tableEnd = Math.max(tableEnd, node.end)
    const mayBeContents = headings < 2 && i >= tableEnd
    node.dropped ||= isNoise(pass, node) || (mayBeContents && isContents(node))
    if (!node.dropped && isHeading(node)) headings++
    // Only the code reader can recognise decoration inside a code block.
    if (node.dropped || node.tag === 'pre') i = node.end - 1
  }
}

function isNoise(pass: Pass, node: HtmlNode): boolean {
  if (NOISE_TAGS.has(node.tag)) return !isEditor(node)
  if (LIST_TAGS.has(node.tag) && INLINE_TAGS.has(node.parent?.tag ?? '') && isLinky(node)) return true
  if (node.tag === 'table' && hasClass(node, NAVIGATION_TABLES) && isOnlyLinks(node)) return true
  if (node.tag === 'aside') return !isSidenote(pass, node)
  if (node.tag === 'a' && isPermalink(node)) return true
  if (isReferenceNoise(node)) return true
  if (!pass.lenient && isHidden(node)) return true
  if (attribute(node, 'role') === 'tabpanel') return false
  if (attribute(node, 'data-component-part') === 'step-number') return true
  return !KEPT_TAGS.has(node.tag) && (NOISE_ROLES.has(attribute(node, 'role')) || isNamedNoise(pass, node))
}

function isNamedNoise({ verdicts, region }: Pass, node: HtmlNode): boolean {
  const id = NAMED_TAGS.has(node.tag) ? '' : attribute(node, 'id')
  const verdict = judge(verdicts, `${attribute(node, 'class')} ${id}`)
  if (verdict === 'keep' || (id !== '' && isSectionOf(node))) return false
  if (verdict === 'mark') return !isHeading(node) && !(node.tag === 'a' && isNameInLink(node))
  if (verdict === 'menu') return findInside(node, ({ tag }) => PROSE_TAGS.has(tag), MOST_OF_MENU) === undefined
  return node.length <= MAX_NOISE_SHARE * region.length || isLinky(node)
}

/** Returns true for a section with the id that generators make from its heading: `#search` with a permalink to it. */
function isSectionOf(section: HtmlNode): boolean {
  if (section.tag !== 'section' && section.tag !== 'div') return false
  const link = `#${section.attribs['id']}`
  let headingEnd = 0
  const isPermalinkOrText = (node: HtmlNode) => {
    if (headingEnd === 0 && isHeading(node)) headingEnd = node.end
    return node.index < headingEnd ? attribute(node, 'href') === link : isShownText(node)
  }
  return (findInside(section, isPermalinkOrText, MOST_TO_PERMALINK)?.tag ?? '') !== ''
}

/**
 * Returns true for a permalink that encloses a name: in manual pages by mandoc a term, in pages of VuePress a whole
 * heading. Beside the text of a heading, a permalink only has a symbol or a label.
 */
function isNameInLink(link: HtmlNode): boolean {
  if (!attribute(link, 'href').startsWith('#')) return false
  const text = lineOf(link)
  if (!HAS_TEXT.test(text) || PERMALINK_LABEL.test(text.replace(/^[^\p{L}\p{N}]+/u, ''))) return false
  return link.parent === null || !isHeading(link.parent) || link.parent.length === link.length
}

function judge(verdicts: Map<string, Verdict>, given: string): Verdict {
  if (given === ' ') return 'keep'
  let verdict = verdicts.get(given)
  if (verdict !== undefined) return verdict
  verdict = NAMES_OF_NOISE.find(([pattern]) => pattern.test(given))?.[1] ?? 'keep'
  verdicts.set(given, verdict)
  return verdict
}

/** True if all letters of an element are in links. */
function isOnlyLinks(node: HtmlNode): boolean {
  const isProse = (inner: HtmlNode) =>
    isShownText(inner) && /\p{L}/u.test(inner.text) && closest(inner.parent, ({ tag }) => tag === 'a') === null
  return findInside(node, isProse, MOST_OF_MENU) === undefined
}

function isLinky({ linked, length }: HtmlNode): boolean {
  return linked > LINKY * length
}

/** Returns true for a callout, or for a note inside the article that consists mostly of unlinked text. */
function isSidenote({ region }: Pass, aside: HtmlNode): boolean {
  const names = attribute(aside, 'class')
  return names === '' ? region.tag !== 'body' && !isLinky(aside) : ADMONITION.test(names)
}

function isPermalink(link: HtmlNode): boolean {
  return attribute(link, 'href').startsWith('#') && link.length <= 2 && !HAS_TEXT.test(textOf(link))
}

function isHidden({ tag, attribs }: HtmlNode): boolean {
  if (tag === 'body' || attribs['role'] === 'tabpanel') return false
  // Some callout titles are hidden from screen readers, which announce a label instead. The title is visible text.
  if (attribs['aria-hidden'] === 'true') return !/aside__title/.test(attribs['class'] ?? '')
  const style = attribs['style']
  if (attribs['hidden'] === undefined && (style === undefined || !HIDDEN_STYLE.test(style))) return false
  // Tabs, accordions and folded callouts are hidden until opened, but they are text.
  return attribs['hidden'] !== 'until-found' && !FOLDED.test(`${attribs['class'] ?? ''} ${attribs['id'] ?? ''}`)
}

/** Minimum share of linked text, and minimum share of links within the page. */
const MIN_SHARE = 0.7
const LEAST_LINKS = 3
/** Upper bound for visited nodes: boxes can be nested very deeply, and a few thousand nodes suffice. */
const MOST_NODES = 5_000

/**
 * Finds unnamed tables of contents: lists at the top of a page that consist mostly of links to later places on it, in
 * order. A list below the second heading is part of the text.
 */
function createContentsFinder({ tree }: HtmlNode): (node: HtmlNode) => boolean {
  const placeOf = createAnchorPlaces(tree)
  return (node) => {
    if (!CONTENTS_TAGS.has(node.tag) || node.length === 0 || node.linked < MIN_SHARE * node.length) return false
    let links = 0
    let inOrder = 0
    let before = node.end - 1
    for (let i = node.index + 1; i < Math.min(node.end, node.index + MOST_NODES); i++) {
      const { tag, attribs } = elementAt(tree, i)
      const href = tag === 'a' ? (attribs['href'] ?? '') : ''
      if (href !== '') links++
      const place = href.startsWith('#') ? (placeOf(href.slice(1)) ?? -1) : -1
      if (place < before) continue
      inOrder++
      before = place
    }
    return inOrder >= LEAST_LINKS && inOrder >= MIN_SHARE * links
  }
}

/**
 * Noise beside the text of a member in API references. rustdoc: traits of its result and links to its source. Doxygen:
 * overload numbers, link targets in examples, and members of base classes. Javadoc: names of inherited members.
 */
const REFERENCE_NOISE = new Set('notable-traits rightside overload ttc sub-logo-container inherited-list'.split(' '))
/** Parts that rustdoc repeats for every type: its automatic and blanket implementations. */
const OF_EVERY_TYPE = /^(?:blanket|synthetic)-implementations(?:-list)?$/
/** Anchors of the inherited names in older Javadoc releases. */
const INHERITED_NAMES = /^(?:methods|fields|nested[._]classes)[._]inherited[._]from/
/** A shorter text below a trait method is only the first sentence of the trait's documentation. */
const SUMMARY = 300

/** Returns true if the element repeats text from elsewhere on its page or from another page. */
function isReferenceNoise(node: HtmlNode): boolean {
  const { tag, classes } = node
  if (hasClass(node, REFERENCE_NOISE) || OF_EVERY_TYPE.test(attribute(node, 'id'))) return true
  // Doxygen hides the row of a member from a base class until opened.
  if (tag === 'tr') return classes.has('inherit')
  if (tag === 'a') return isMore(node)
  if (tag === 'li') return beginsInherited(node)
  if (tag === 'details') return classes.has('method-toggle') && isTraitSummary(node)
  return isTraitMethod(node) && node.parent?.tag !== 'summary'
}

function isMore(link: HtmlNode): boolean {
  return attribute(link, 'href').includes('#') && link.end <= link.index + 4 && /^More(?:\.{3}|…)$/.test(lineOf(link))
}

/** Returns true for a trait method with only the trait's summary, not documentation of the type itself. */
function isTraitSummary(details: HtmlNode): boolean {
  const method = findInside(details, isTraitMethod)
  if (method === undefined || findInside(details, ({ tag }) => tag === 'pre') !== undefined) return false
  // A signature can also contain a block of that name. That lengthens the text and at worst keeps it.
  const body = findInside(details, ({ index, classes }) => index > method.index && classes.has('docblock'))
  return body === undefined || textBetween(details.tree, body.index, details.end).length < SUMMARY
}

function isTraitMethod({ tag, classes }: HtmlNode): boolean {
  return tag === 'section' && classes.has('trait-impl')
}

function beginsInherited(item: HtmlNode): boolean {
  const first = findInside(item, ({ tag }) => tag !== '', 4)
  return first?.tag === 'a' && INHERITED_NAMES.test(nameOf(first) ?? '')
}
