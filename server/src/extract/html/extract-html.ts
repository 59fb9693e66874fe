import { type ExtractedPage, reject, type Rejected } from '../extracted-page.ts'
import { createLinkResolver } from '../resolve-link.ts'
import { chooseRegion } from './choose-region.ts'
import { dropNoise } from './drop-noise.ts'
import { type HtmlNode, parseHtml, weighText } from './html-tree.ts'
import { markDoxygen, needsJavaScript, refusePage } from './judge-page.ts'
import { labelTabs } from './label-tabs.ts'
import { collectLinks, readPageFacts } from './page-facts.ts'
import { pageTitle, withPurpose } from './page-title.ts'
import type { InlineInput } from './render-inline.ts'
import { renderMarkdown, type Rendered } from './render-markdown.ts'
import { toldVersion } from './told-version.ts'
import { trimPage } from './trim-page.ts'

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
