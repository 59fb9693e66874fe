import type { z } from 'zod'
import { closeFences } from '#search/passage.ts'
import type { OpenPage } from '#documents/library-page.ts'
import { withoutSection } from '#lib/addresses/page-address.ts'
import { defined } from '#lib/objects.ts'
import type { Scope } from '#documents/library.ts'
import { readCursor, writeCursor } from '../arguments/shared-arguments.ts'
import { formatPassage, oneLine, packBlocks } from '../passages/format-citation.ts'
import { outcomeOfResults } from '../definition/outcome.ts'
import { indexingNotes, ToolError } from '../definition/tool-result.ts'
import type { searchOutput } from '../results/search-answer.ts'
import type { ToolAnswer, ToolContext } from '../definition/tool.ts'
import { readWebAddress } from './web-pages.ts'
import { cutNote, readSections, sectionAt } from './page-sections.ts'

/** About 4,000 tokens: a usual page is one answer, and a long one takes a few. */
const BYTES = 16_000
/** Bytes of the citation lines of a section, on an average site. */
const FRAME_BYTES = 190

type PageRequest = {
  /** Address of a page. With a fragment, the answer begins at that section. */
  page: string
  sourceId: string | undefined
  /** A query that came with the page. It is not used. */
  query: string | undefined
  cursor: string | undefined
  tool: string
}

/** The query of a call, empty without one. Throws a `ToolError` if a call without a page has none. */
export function requireQuery({ query, page }: { query?: string | undefined; page?: string | undefined }): string {
  if (query !== undefined || page !== undefined) return query ?? ''
  throw new ToolError('arguments', 'Give "query" to search, or "page" to read a page.')
}

/** Some sections of a page as an answer of a search tool: in order, from the address or the cursor on. */
export async function pageAnswer(
  context: ToolContext,
  { page: asked, sourceId, query, cursor, tool }: PageRequest,
): Promise<ToolAnswer<z.output<typeof searchOutput>>> {
  const page = await findPage(context, asked, sourceId === undefined ? {} : { sourceId })
  const scope = JSON.stringify(['page', page.sourceId, page.textHash])
  const start = sectionAt(page, readWebAddress(asked, context.server)?.urls[0] ?? asked)
  const from = cursor === undefined ? (start?.at ?? 0) : readCursor(cursor, scope)
  const { sections, next } = readSections(page, from, { bytes: BYTES, frame: FRAME_BYTES })
  const { title, sourceId: source, type } = page
  const results = sections.map((section) => {
    const { rank, heading, url } = section
    return { title, heading, url, rank, sourceId: source, type, score: 1, passage: closeFences(section) }
  })
  const nextCursor = next === null ? undefined : writeCursor(next, scope)
  const remarks = [
    ...(query === undefined ? [] : ['"query" was not used, because "page" reads a whole page.']),
    ...(cursor === undefined && start === null
      ? [`The page has no section at ${oneLine(asked, 300)}, so it is read from its beginning.`]
      : []),
    ...(results.length === 0 ? ['There is nothing further on this page.'] : []),
    ...(nextCursor ? [`The page goes on: call ${tool} again with cursor "${nextCursor}".`] : cutNote(page)),
    ...indexingNotes(context.server),
  ]
  // Each is below the hard cap, because passages are short.
  const blocks = results.map((result) => formatPassage(result.rank, result, result.passage))
  return {
    text: packBlocks(blocks, Infinity).join('\n\n'),
    passages: results.map((result) => ({ ...result, n: result.rank, text: result.passage })),
    notes: remarks,
    data: { query: '', results, ...defined({ nextCursor }) },
    outcome: outcomeOfResults(results),
    citations: results.length === 0 ? [] : [{ sourceId: source, url: page.url, title, rank: 1, score: 1 }],
  }
}

/** Pages with a similar address that a refusal names. */
const SUGGESTED = 3

/** Opens the page at an address without its fragment. Throws a `ToolError` that names similar pages. */
export async function findPage(
  { server, library, search }: Pick<ToolContext, 'server' | 'library' | 'search'>,
  url: string,
  scope: Scope = {},
): Promise<OpenPage> {
  const urls = readWebAddress(url, server)?.urls ?? [url]
  const [opened] = await library.open((await library.pagesAt(urls, scope)).slice(0, 1))
  if (opened) return opened
  const path = url.replace(/^[a-z]+:\/\/[^/]*/i, '')
  const words = path.replaceAll(/\W+/g, ' ').trim()
  const { passages } = words === '' ? { passages: [] } : await search({ query: words, limit: SUGGESTED, ...scope })
  const similar = [...new Set(passages.map((each) => withoutSection(each.url)))]
  const others = similar.length > 0 ? ` Pages like it: ${similar.join(', ')}.` : ''
  throw new ToolError('arguments', `No page with the address ${oneLine(url, 300)} is indexed.${others}`)
}
