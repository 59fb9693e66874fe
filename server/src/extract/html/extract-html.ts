import { elementAt } from '#lib/element-at.ts'
import { type ExtractedPage, type PageLink, reject, type Rejected } from '../extracted-page.ts'
import { createLinkResolver, type LinkResolver } from '../resolve-link.ts'
import { chooseRegion } from './choose-region.ts'
import { dropNoise } from './drop-noise.ts'
import { type HtmlNode, type HtmlTree, isRaw, parseHtml, type TextWeight, weighText } from './html-tree.ts'
import { indexPage, type IndexPage, judgePage, markDoxygen, referenceAid } from './judge-page.ts'
import { labelTabs } from './label-tabs.ts'
import { collectLinks, type PageFacts, readPageFacts } from './page-facts.ts'
import { pageTitle, withPurpose } from './page-title.ts'
import { renderMarkdown, type Rendered } from './render-markdown.ts'
import { trimPage } from './trim-page.ts'

/**
 * Minimum share of the region's text in the output. Below it, the hidden parts were real content that a script shows.
 */
const LEAST_SHARE = 0.15

const AID_SENTENCES: Record<IndexPage, string> = {
  index_page: 'An index: hardly anything but links to other pages, which are read.',
  source_view: 'A listing of source code beside the documentation. Add its repository to search the code.',
}

/** A page between two passes. A pass reads what the passes before it found. */
type Draft = {
  readonly url: string
  readonly withRoutes: boolean
  readonly tree: HtmlTree
  facts: PageFacts
  resolve: LinkResolver
  weight: TextWeight
  /** The title without the name of the site. */
  heading: string
  /** Index of the element with the text of the page. */
  region: number
  /** The title with the purpose of a reference page. */
  title: string
  rendered: Rendered
  links: PageLink[]
  empty: boolean
}

/** A pass over a page. Returns a rejection to end the conversion. */
type Pass = (page: Draft) => Rejected | null

/** All passes, in order. Those before `renderText` see the whole page, those after it the Markdown and the rest. */
const PASSES: readonly Pass[] = [
  markStructure,
  weighWords,
  findRegion,
  findTitle,
  renderText,
  trimEnds,
  completeTitle,
  gatherLinks,
  refuseDerivedPage,
  refuseNonPage,
]

/** Converts HTML to a page, pass by pass. */
export function extractHtml(html: string, url: string, withRoutes = false): ExtractedPage | Rejected {
  const tree = parseHtml(html)
  if (tree === null) return reject('too_complex', 'The page is nested or fragmented beyond what any real page is.')
  const page = draftPage({ tree, url, withRoutes })
  for (const pass of PASSES) {
    const rejected = pass(page)
    if (rejected !== null) return rejected
  }
  const { language, canonical, noindex, nofollow, generator } = page.facts
  const { title, rendered, links, empty } = page
  return { kind: 'page', title, ...rendered, language, canonical, links, noindex, nofollow, empty, generator }
}

function draftPage(given: Pick<Draft, 'tree' | 'url' | 'withRoutes'>): Draft {
  const facts = readPageFacts(given.tree, given.url)
  const resolve = createLinkResolver(facts.base, given.withRoutes)
  const weight = { all: new Float64Array(), linked: new Float64Array() }
  const rendered = { markdown: '', blocks: [] }
  return { ...given, facts, resolve, weight, heading: '', region: 0, title: '', rendered, links: [], empty: false }
}

function markStructure(page: Draft): null {
  page.heading = markDoxygen(page.tree)
  return null
}

function weighWords(page: Draft): null {
  page.weight = weighText(page.tree)
  return null
}

function findRegion(page: Draft): null {
  page.region = chooseRegion(page.tree, page.weight)
  return null
}

function findTitle(page: Draft): null {
  const { tree, facts, region } = page
  page.heading ||= pageTitle(tree, facts, region, regionEnd(page))
  return null
}

/** Drops noise and renders the rest. If nearly everything was hidden, renders hidden parts too. */
function renderText(page: Draft): null {
  const { tree, weight, region } = page
  page.rendered = renderKept(page, false)
  const expected = elementAt(weight.all, region) - elementAt(weight.linked, region)
  if (page.rendered.markdown.length >= LEAST_SHARE * expected) return null
  for (let i = region; i < regionEnd(page); i++) undrop(tree[i])
  page.rendered = renderKept(page, true)
  return null
}

function renderKept(page: Draft, lenient: boolean): Rendered {
  const { tree, weight, region, resolve, url } = page
  const end = regionEnd(page)
  dropNoise({ tree, weight, region, lenient })
  return renderMarkdown({ tree, labels: labelTabs(tree, region, end), resolve, page: url }, region + 1, end)
}

function undrop(node: HtmlNode | undefined): void {
  if (node !== undefined && !isRaw(node.tag)) node.dropped = false
}

function trimEnds(page: Draft): null {
  page.rendered = trimPage(page.rendered, page.heading)
  return null
}

/** Adds the purpose of a reference page. Single-page applications give all pages the same title. */
function completeTitle(page: Draft): null {
  const first = page.rendered.blocks.find((block) => block.kind === 'heading')
  const isRoute = page.withRoutes && first?.kind === 'heading' && first.level === 1
  page.title = isRoute ? first.text : withPurpose(page.heading, page.rendered)
  return null
}

function gatherLinks(page: Draft): null {
  const { tree, facts, resolve, region } = page
  page.links = facts.nofollow ? [] : collectLinks(tree, resolve, region, regionEnd(page))
  return null
}

/** Refuses indices and source listings, which generators derive from other pages. */
function refuseDerivedPage({ tree, url, title, weight, facts, heading, region, links }: Draft): Rejected | null {
  const aid =
    indexPage(tree, { url, title, weight, start: region }) ??
    referenceAid(tree, { title: facts.title, heading, generator: facts.generator, region })
  return aid === null ? null : reject(aid, AID_SENTENCES[aid], links)
}

/** Refuses error pages, login pages and pages without text. Marks pages that need JavaScript. */
function refuseNonPage(page: Draft): Rejected | null {
  const { tree, rendered, title, links } = page
  const judged = judgePage({ tree, markdown: rendered.markdown, title, links })
  if (judged.kind === 'rejected') return judged
  page.empty = judged.empty
  return null
}

function regionEnd({ tree, region }: Draft): number {
  return tree[region]?.end ?? 0
}
