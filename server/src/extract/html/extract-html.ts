import { type ExtractedPage, type Rejected, reject } from '../extracted-page.ts'
import { createLinkResolver } from '../resolve-link.ts'
import { chooseRegion } from './choose-region.ts'
import { dropNoise } from './drop-noise.ts'
import {
  type HtmlNode,
  type HtmlTree,
  attribute,
  findInside,
  hasClass,
  lineOf,
  outermostInside,
  parseHtml,
  weighText,
} from './html-tree.ts'
import { markDoxygen, needsJavaScript, refusePage } from './judge-page.ts'
import { collectLinks, readPageFacts } from './page-facts.ts'
import { pageTitle, withPurpose } from './page-title.ts'
import type { InlineInput } from './render-inline.ts'
import { type Rendered, renderMarkdown } from './render-markdown.ts'
import { trimPage } from './trim-page.ts'
import { elementAt } from '#lib/arrays.ts'
import { compareVersions, parseVersion } from '#lib/text/version.ts'

/** Minimum share of the region's text in the output. Below it, a script shows the hidden parts. */
const LEAST_SHARE = 0.15

/** Converts HTML to a page, pass by pass. A pass reads the results of the passes before it. */
export function extractHtml(html: string, url: string, withRoutes = false): ExtractedPage | Rejected {
  const tree = parseHtml(html)
  if (tree === null) return reject('too_complex', 'The page is nested or fragmented beyond what any real page is.')
  const { title: element, siteName, base, ...facts } = readPageFacts(tree, url)
  const resolve = createLinkResolver(base, withRoutes)
  const doxygenTitle = markDoxygen(tree)
  weighText(tree)
  const region = chooseRegion(tree)
  const heading = doxygenTitle || pageTitle({ title: element, siteName }, region)
  const rendered = trimPage(renderText({ resolve, page: url }, region), heading)
  const first = rendered.blocks.find((block) => block.kind === 'heading')
  // Single-page applications give all pages the same title.
  const title = withRoutes && first?.level === 1 ? first.text : withPurpose(heading, rendered)
  const links = facts.nofollow ? [] : collectLinks(resolve, region)
  const { markdown } = rendered
  const { generator } = facts
  const refused = refusePage({ url, titles: { page: title, element, heading }, generator, region, markdown, links })
  if (refused !== null) return refused
  const version = toldVersion({ tree, url, canonical: facts.canonical, opening: markdown })
  return { kind: 'page', title, ...rendered, ...facts, version, links, empty: needsJavaScript(tree, markdown) }
}

/** Drops noise and renders the rest. If nearly everything was hidden, renders hidden parts too. */
function renderText(input: InlineInput, region: HtmlNode): Rendered {
  const render = (lenient: boolean) => {
    dropNoise(region, lenient)
    return renderMarkdown({ ...input, labels: labelTabs(region) }, region)
  }
  const rendered = render(false)
  if (rendered.markdown.length >= LEAST_SHARE * (region.length - region.linked)) return rendered
  for (const node of region.tree.slice(region.index, region.end)) node.dropped = false
  return render(true)
}

/** Class names for lists of tab labels in MkDocs Material and VitePress. */
const LABEL_LIST = new Set(['tabbed-labels', 'tabs'])
const PANEL = new Set(['tabbed-block', 'tabpane', 'tabpanel', 'tab-pane', 'tab-panel'])
/** A row of more tabs is a menu. */
const MAX_TABS = 20

/**
 * Assigns tab labels to their panels for the renderer, and drops the rows of labels. Pages show only one panel at a
 * time. Rows without identifiable panels are dropped, too: labels alone carry no information.
 */
function labelTabs({ tree, index, end }: HtmlNode): Map<HtmlNode, string> {
  const labelled = new Map<HtmlNode, string>()
  for (let i = index; i < end; i++) {
    const row = elementAt(tree, i)
    // Frameworks give rows of tabs the names of navigation.
    if (row.tag === '' || (row.dropped && attribute(row, 'role') !== 'tablist')) continue
    // Sphinx Design puts each label before its panel.
    if (row.tag === 'label' && row.classes.has('sd-tab-label')) {
      let panel = tree[row.end]
      while (panel?.tag === '') panel = tree[panel.end]
      if (panel) labelled.set(panel, lineOf(row))
      row.dropped = true
    }
    if (!isLabelRow(row)) continue
    const labels = outermostInside(row, isLabel)
    if (labels.length === 0 || labels.length > MAX_TABS) continue
    const panels = [row, row.parent].map(panelsAfter).find(({ length }) => length === labels.length) ?? []
    for (const [tab, panel] of panels.entries()) labelled.set(panel, lineOf(elementAt(labels, tab)))
    row.dropped = true
  }
  return labelled
}

function isLabelRow(row: HtmlNode): boolean {
  if (attribute(row, 'role') === 'tablist') return true
  if (row.tag !== 'div') return false
  // AsciiDoc writes the tab labels as a list.
  const label = hasClass(row, LABEL_LIST) ? 'label' : row.classes.has('tablist') ? 'li' : null
  return label !== null && findInside(row, ({ tag }) => tag === label) !== undefined
}

function isLabel({ tag, attribs }: HtmlNode): boolean {
  return tag === 'label' || attribs['role'] === 'tab' || (tag === 'li' && attribs['class'] === 'tab')
}

/** Returns the panels after an element within the same parent, without those of nested tab groups. */
function panelsAfter(element: HtmlNode | null): HtmlNode[] {
  if (!element?.parent) return []
  return outermostInside(element.parent, (node) => {
    if (node.index < element.end || node.tag === '') return false
    return node.attribs['role'] === 'tabpanel' || hasClass(node, PANEL) || node.parent?.classes.has('blocks') === true
  })
}

/** Elements with such a class can be the banner of an old version. */
const LIKE_BANNER = /banner|version|outdated|deprecat|warning|alert|notice|admonition|announce|unmaintained/i
/** Characters of the longest banner, and of the beginning of a text that can be one. */
const MOST = 500
/** Elements that are looked at. Banners come first. */
const MOST_ELEMENTS = 40

const SENTENCE_END = /[.!?](?=\s|$)/
const ABOUT = /\b(?:you(?:['’]re| are)|this (?:is|page|document|documentation|version|manual|guide|site)|these docs)\b/i
const THING = /\b(?:version|docs|documentation|document)\b/i
const OLD =
  /\b(?:(?:old|older|outdated|previous|unsupported|insecure|archived|legacy) (?:version|docs|documentation)|no longer (?:actively )?(?:maintained|supported|updated)|not (?:reading |viewing )?(?:the|our) (?:latest|most recent|current) version)\b/i
const NUMBER = /\bv?(\d{1,4}(?:\.(?:\d{1,9}|x)){0,3})\b/i
/** A number after one of these is that of the newer version. */
const NEWER = /\b(?:latest|most recent|current|newer|newest)\b/i

type Told = { tree: HtmlTree; url: string; canonical: string | null; opening: string }

/**
 * The older version of which a page says that it is about it: by a canonical link to the same page of another version,
 * or by a banner. `old` if it gives no number, null if it says nothing. `opening`: the beginning of the page's text.
 */
function toldVersion({ tree, url, canonical, opening }: Told): string | null {
  const linked = canonical === null ? null : versionByCanonical(url, canonical)
  return linked ?? versionInBanner(opening.slice(0, MOST)) ?? versionInElements(tree)
}

function versionInElements(tree: HtmlTree): string | null {
  let looked = 0
  for (const node of tree) {
    const { class: names } = node.attribs
    if (names === undefined || node.length === 0 || node.length > MOST || !LIKE_BANNER.test(names)) continue
    const version = versionInBanner(lineOf(node, MOST))
    if (version !== null || ++looked >= MOST_ELEMENTS) return version
  }
  return null
}

function versionInBanner(text: string): string | null {
  for (const sentence of text.split(SENTENCE_END)) {
    if (!OLD.test(sentence) || !ABOUT.test(sentence) || !THING.test(sentence)) continue
    const number = NUMBER.exec(sentence)
    return number && !NEWER.test(sentence.slice(0, number.index)) ? (number[1] ?? '').toLowerCase() : 'old'
  }
  return null
}

const LABEL = /^(?:v?\d{1,4}(?:\.(?:\d{1,9}|x)){0,3}|latest|stable|current)$/i
/** A number after one of these is no version. */
const COUNTED = /^(?:p|page|chapter|part|post|posts|issue|issues|pull|blog|news|id)$/i

/** The part of a path that its canonical link has another, newer version for, or none. */
function versionByCanonical(url: string, canonical: string): string | null {
  const [own, other] = [partsOf(url), partsOf(canonical)]
  const at = own.findIndex((part, index) => part !== other[index])
  const [part = '', newer = ''] = [own[at], other[at]]
  const version = parseVersion(part)
  if (at < 1 || version === null || !LABEL.test(part) || COUNTED.test(own[at - 1] ?? '')) return null
  const rest = own.slice(at + 1).join('/')
  const isDropped = rest === other.slice(at).join('/')
  const isReplaced = rest === other.slice(at + 1).join('/') && LABEL.test(newer) && isNewer(newer, version)
  return isDropped || isReplaced ? part.toLowerCase() : null
}

function isNewer(label: string, than: NonNullable<ReturnType<typeof parseVersion>>): boolean {
  const version = parseVersion(label)
  return version === null || compareVersions(version, than) > 0
}

function partsOf(url: string): string[] {
  const { host, pathname } = new URL(url)
  return [
    host,
    ...pathname
      .replace(/\/index\.html?$/, '')
      .split('/')
      .filter(Boolean),
  ]
}
