import { type ExtractedPage, type PageLink, reject, type Rejected } from '../extracted-page.ts'
import { createLinkResolver, type LinkResolver } from '../resolve-link.ts'
import { chooseRegion } from './choose-region.ts'
import { dropNoise } from './drop-noise.ts'
import { type HtmlNode, type HtmlTree, isRaw, parseHtml, weighText } from './html-tree.ts'
import { derivedKind, type IndexPage, markDoxygen, needsJavaScript, refuseNonPage } from './judge-page.ts'
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
  /** The title without the name of the site. */
  heading: string
  /** The element with the text of the page. */
  region: HtmlNode
  /** The title with the purpose of a reference page. */
  title: string
  rendered: Rendered
  links: PageLink[]
}

/** All passes, in order. Those before `renderText` see the whole page, those after it the Markdown and the rest. */
const PASSES: readonly ((page: Draft) => void)[] = [
  markStructure,
  weighWords,
  findRegion,
  findTitle,
  renderText,
  trimEnds,
  completeTitle,
  gatherLinks,
]

/** Converts HTML to a page, pass by pass. */
export function extractHtml(html: string, url: string, withRoutes = false): ExtractedPage | Rejected {
  const tree = parseHtml(html)
  const document = tree?.[0]
  if (!tree || !document) return reject('too_complex', 'The page is nested or fragmented beyond what any real page is.')
  const facts = readPageFacts(tree, url)
  const resolve = createLinkResolver(facts.base, withRoutes)
  const rendered = { markdown: '', blocks: [] }
  const page: Draft = {
    url,
    withRoutes,
    tree,
    facts,
    resolve,
    heading: '',
    region: document,
    title: '',
    rendered,
    links: [],
  }
  for (const pass of PASSES) pass(page)
  return judgePage(page)
}

function markStructure(page: Draft): void {
  page.heading = markDoxygen(page.tree)
}

function weighWords(page: Draft): void {
  weighText(page.tree)
}

function findRegion(page: Draft): void {
  page.region = chooseRegion(page.tree, page.region)
}

function findTitle(page: Draft): void {
  page.heading ||= pageTitle(page.facts, page.region)
}

/** Drops noise and renders the rest. If nearly everything was hidden, renders hidden parts too. */
function renderText(page: Draft): void {
  const { tree, region } = page
  page.rendered = renderKept(page, false)
  if (page.rendered.markdown.length >= LEAST_SHARE * (region.length - region.linked)) return
  for (const node of tree.slice(region.index, region.end)) if (!isRaw(node.tag)) node.dropped = false
  page.rendered = renderKept(page, true)
}

function renderKept({ region, resolve, url }: Draft, lenient: boolean): Rendered {
  dropNoise(region, lenient)
  return renderMarkdown({ labels: labelTabs(region), resolve, page: url }, region)
}

function trimEnds(page: Draft): void {
  page.rendered = trimPage(page.rendered, page.heading)
}

/** Adds the purpose of a reference page. Single-page applications give all pages the same title. */
function completeTitle(page: Draft): void {
  const first = page.rendered.blocks.find((block) => block.kind === 'heading')
  const isRoute = page.withRoutes && first?.level === 1
  page.title = isRoute ? first.text : withPurpose(page.heading, page.rendered)
}

function gatherLinks(page: Draft): void {
  page.links = page.facts.nofollow ? [] : collectLinks(page.resolve, page.region)
}

/** Refuses derived pages, error pages, login pages and pages without text. Marks pages that need JavaScript. */
function judgePage({ tree, url, facts, heading, region, title, rendered, links }: Draft): ExtractedPage | Rejected {
  const { language, canonical, noindex, nofollow, generator } = facts
  const aid = derivedKind({ url, titles: { page: title, element: facts.title, heading }, generator, region })
  if (aid !== null) return reject(aid, AID_SENTENCES[aid], links)
  const refused = refuseNonPage(tree, { markdown: rendered.markdown, title, links })
  if (refused !== null) return refused
  const empty = needsJavaScript(tree, rendered.markdown)
  return { kind: 'page', title, ...rendered, language, canonical, links, noindex, nofollow, empty, generator }
}
