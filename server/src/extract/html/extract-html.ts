import { elementAt } from '#lib/element-at.ts'
import { chooseRegion } from './choose-region.ts'
import { cleanTitle, partsBesideSite, withPurpose } from './page-title.ts'
import { dropNoise } from './drop-noise.ts'
import { type ExtractedPage, reject, type Rejected } from '../extracted-page.ts'
import { indexPage, type IndexPage, judgePage, markDoxygen, referenceAid } from './judge-page.ts'
import { type HtmlNode, type HtmlTree, isRaw, parseHtml, textOf, type TextWeight, weighText } from './html-tree.ts'
import { labelTabs } from './label-tabs.ts'
import { oneLine } from '#lib/text/one-line.ts'
import { type PageFacts, readPageFacts, collectLinks } from './page-facts.ts'
import type { InlineInput } from './render-inline.ts'
import { renderMarkdown, type Rendered } from './render-markdown.ts'
import { createLinkResolver } from '../resolve-link.ts'
import { trimPage } from './trim-page.ts'

/**
 * Minimum share of the region's text in the output. Below it, the hidden parts were real content that a script shows.
 */
const LEAST_SHARE = 0.15
/** Permalink symbol at the end of a heading. The `#` of `C#` is not one, because no space precedes it. */
const PERMALINK_SIGN = /(?<!\s)(?:\s+#|\s*[\u00b6\u00a7\u{1f517}])$/u

const AID_SENTENCES: Record<IndexPage, string> = {
  index_page: 'An index: hardly anything but links to other pages, which are read.',
  source_view: 'A listing of source code beside the documentation. Add its repository to search the code.',
}

/**
 * Converts HTML to a page: parses, reads the metadata, finds the region, drops noise, renders Markdown and judges the
 * result.
 */
export function extractHtml(html: string, url: string, withRoutes = false): ExtractedPage | Rejected {
  const tree = parseHtml(html)
  if (tree === null) return reject('too_complex', 'The page is nested or fragmented beyond what any real page is.')
  const facts = readPageFacts(tree, url)
  const heading = markDoxygen(tree)
  const weight = weighText(tree)
  const resolve = createLinkResolver(facts.base, withRoutes)
  const region = chooseRegion(tree, weight)
  const end = tree[region]?.end ?? 0
  const own = heading || pageTitle(tree, facts, region, end)
  const { markdown, blocks } = trimPage(renderRegion(tree, weight, region, { resolve, page: url }), own)
  const first = blocks.find((block) => block.kind === 'heading')
  // Single-page applications give all pages the same title.
  const isRoute = withRoutes && first?.kind === 'heading' && first.level === 1
  const title = isRoute ? first.text : withPurpose(own, { markdown, blocks })
  const links = facts.nofollow ? [] : collectLinks(tree, resolve, region, end)
  const described = { title: facts.title, heading: own, generator: facts.generator, region }
  const aid = indexPage(tree, { url, title, weight, start: region }) ?? referenceAid(tree, described)
  if (aid !== null) return reject(aid, AID_SENTENCES[aid], links)
  const judged = judgePage({ tree, markdown, title, links })
  if (judged.kind === 'rejected') return judged
  const { language, canonical, noindex, nofollow, generator } = facts
  const { empty } = judged
  return { kind: 'page', title, markdown, blocks, language, canonical, links, noindex, nofollow, empty, generator }
}

function renderRegion(tree: HtmlTree, weight: TextWeight, region: number, input: Omit<InlineInput, 'tree'>): Rendered {
  const end = tree[region]?.end ?? 0
  const render = () => renderMarkdown({ tree, labels: labelTabs(tree, region, end), ...input }, region + 1, end)
  dropNoise({ tree, weight, region, lenient: false })
  const rendered = render()
  const expected = elementAt(weight.all, region) - elementAt(weight.linked, region)
  if (rendered.markdown.length >= LEAST_SHARE * expected) return rendered
  for (let i = region; i < end; i++) undrop(tree[i])
  dropNoise({ tree, weight, region, lenient: true })
  return render()
}

function undrop(node: HtmlNode | undefined): void {
  if (node !== undefined && !isRaw(node.tag)) node.dropped = false
}

/**
 * Finds the page title. The first heading that the title tag repeats separates the title from the site name. Without
 * one, the first heading in the text does. A heading that is the site name, as in a banner, does not count. Then a
 * later heading that the rest of the title tag repeats is the title.
 */
function pageTitle(tree: HtmlTree, facts: PageFacts, start: number, end: number): string {
  const full = facts.title.toLowerCase()
  const besides = new Set<string>()
  let first = ''
  let named = ''
  for (let i = 0; i < tree.length; i++) {
    const node = tree[i]
    if (node === undefined || (node.tag !== 'h1' && (named === '' || node.tag !== 'h2'))) continue
    const text = oneLine(textOf(tree, i, node.end)).replace(PERMALINK_SIGN, '')
    if (text === '') continue
    if (named !== '') {
      if (besides.has(text.toLowerCase())) return text
    } else if (full.includes(text.toLowerCase())) {
      named = text
      for (const part of partsBesideSite(facts.title, text, facts.siteName)) besides.add(part.toLowerCase())
      if (besides.size === 0) break
    } else if (first === '' && i >= start && i < end) first = text
  }
  if (named === '' && first === '')
    return titleOverPage(tree, facts.title, start, end) ?? cleanTitle(facts.title, '', facts.siteName)
  return cleanTitle(facts.title, named || first, facts.siteName)
}

/** For a page without `h1`, returns the first `h2` of the region if the title tag starts with it. */
function titleOverPage(tree: HtmlTree, title: string, start: number, end: number): string | null {
  const index = tree.findIndex(({ tag }, at) => tag === 'h2' && at >= start && at < end)
  const text = index < 0 ? '' : oneLine(textOf(tree, index, tree[index]?.end ?? index))
  return text !== '' && title.startsWith(`${text}:`) ? text : null
}
