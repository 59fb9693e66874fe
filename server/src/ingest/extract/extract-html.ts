import { chooseRegion } from './choose-region.ts'
import { cleanTitle } from './clean-title.ts'
import { dropNoise } from './drop-noise.ts'
import { type Block, type ExtractedPage, type PageLink, reject, type Rejected } from './extracted-page.ts'
import { parseHtml } from './html-tree.ts'
import { judgePage } from './judge-page.ts'
import { readPageFacts } from './page-facts.ts'
import { collectLinks } from './page-links.ts'
import { renderMarkdown } from './render-markdown.ts'
import { weighText } from './text-weight.ts'

/** HTML to a page: parse, read the facts, find the region, drop the noise, write Markdown, judge what came out. */
export function extractHtml(html: string, url: string): ExtractedPage | Rejected {
  const tree = parseHtml(html)
  if (tree === null) return reject('too_complex', 'The page is nested or fragmented beyond what any real page is.')
  const facts = readPageFacts(tree, url)
  const weight = weighText(tree)
  const region = chooseRegion(tree, weight)
  const end = tree[region]?.end ?? 0
  dropNoise(tree, weight, region, end)
  const { markdown, blocks } = renderMarkdown(tree, region + 1, end, { base: facts.base, page: url })
  const links: PageLink[] = facts.nofollow ? [] : collectLinks(tree, facts.base, region, end)
  const title = cleanTitle(facts.title, firstHeading(blocks), facts.siteName)
  const judged = judgePage({ tree, markdown, title, links })
  if (judged.kind === 'rejected') return judged
  const { language, canonical, noindex, nofollow, generator } = facts
  return {
    kind: 'page',
    title,
    markdown,
    blocks,
    language,
    canonical,
    links,
    noindex,
    nofollow,
    empty: judged.empty,
    generator,
  }
}

function firstHeading(blocks: Block[]): string {
  const first = blocks.find((block) => block.kind === 'heading')
  return first?.kind === 'heading' ? first.text : ''
}
