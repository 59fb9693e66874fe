import { SOURCE_TYPES } from '@docent/contract/values/source-kinds'
import { z } from 'zod'
import { defined } from '#lib/objects.ts'
import { type Passage, type SearchRequest, closeFences } from '#search/passage.ts'
import { citationOf, type ToolAnswer, type ToolContext } from '../definition/tool.ts'
import { readCursor, writeCursor } from '../arguments/shared-arguments.ts'
import { formatPassage, packBlocks, paragraphs } from '../passages/format-citation.ts'
import { outcomeOfResults } from '../definition/outcome.ts'
import { indexingNotes, nextCursorMember, rankedMembers, roundScore, scoreMember } from '../definition/tool-result.ts'

/** Bytes of text per requested passage or code example, with a minimum so that few can be long. */
export const bytesFor = (limit: number): number => Math.max(5_750, limit * 1_150)

/** Maximum passages of one search over all pages. Each page has to rank the index down to its passages. */
export const MOST_PASSAGES = 200

/** The share of these for the citation lines of a passage, on an average site. */
const FRAME_BYTES = 190

type Search = {
  query: string
  limit: number
  /** `nextCursor` of the previous answer, to the same query, filters and tool. */
  cursor: string | undefined
  filters: Pick<SearchRequest, 'sourceId' | 'type' | 'path' | 'version'>
  /** Notes on the query itself. */
  notes?: readonly string[]
  /** The tool to call for more, and its filters that can be dropped to find more. */
  tool: { name: string; filters: readonly string[] }
}

export const searchOutput = z.object({
  query: z.string(),
  results: z.array(z.object({ ...rankedMembers, type: z.enum(SOURCE_TYPES), score: scoreMember, passage: z.string() })),
  nextCursor: nextCursorMember,
})

/** Search results as a tool answer: bounded, with a citation for each passage. */
export async function searchAnswer(
  { server, search }: ToolContext,
  { query, limit, cursor, filters, notes: remarks = [], tool }: Search,
  signal?: AbortSignal,
): Promise<ToolAnswer<z.output<typeof searchOutput>>> {
  const scope = JSON.stringify([query, filters])
  const offset = readCursor(cursor, scope)
  const bytes = bytesFor(limit)
  const budget = bytes - limit * FRAME_BYTES
  const left = Math.max(0, MOST_PASSAGES - offset)
  const request = { query, limit: Math.min(limit, left), offset, budget, ...filters }
  const { passages, nextOffset, repaired, pinned = [] } = left === 0 ? NOTHING : await search(request, signal)
  // Pinned sections come before the first page of results and do not count, so that cursors do not depend on them.
  const before = pinned.length
  const first = (offset === 0 ? pinned : []).map((passage, at) => numbered(passage, at + 1))
  const others = passages.filter(({ url }) => pinned.every((pin) => pin.url !== url))

  const format = (passage: Numbered) => formatPassage(passage.n, passage, passage.text)
  const ranked = others.map((passage) => numbered(passage, before + passage.rank))
  const packed = packBlocks(ranked.map(format), bytes)
  const shown = [...first, ...ranked.slice(0, packed.length)]
  // Ranks count every passage, including those whose text is gone.
  const next = packed.length < others.length ? (others[packed.length - 1]?.rank ?? offset) : nextOffset
  const isMore = next !== null && next < MOST_PASSAGES
  const nextCursor = isMore ? writeCursor(next, scope) : undefined
  const notes = [
    ...remarks,
    ...(first.length > 0 ? [`The owner of this server chose ${marksOf(first)} for this question.`] : []),
    ...repaired.map(([given, used]) => `No page has "${given}"; searched for "${used}".`),
    ...(shown.length === 0 ? [nothingFound(offset, tool.filters)] : []),
    ...(next !== null && !isMore ? [`${MOST_ARE_GIVEN} Ask for something narrower to find others.`] : []),
    ...(nextCursor === undefined ? [] : [`More: call ${tool.name} again with cursor "${nextCursor}".`]),
    ...indexingNotes(server),
  ]
  return {
    text: paragraphs(...first.map(format), ...packed),
    passages: shown,
    notes,
    data: { query, results: shown.map(searchHit), ...defined({ nextCursor }) },
    citations: shown.map((passage) => citationOf({ ...passage, rank: passage.n })),
    outcome: outcomeOfResults(shown),
  }
}

const marksOf = (passages: readonly { n: number }[]): string => passages.map(({ n }) => `[${n}]`).join(' ')

const NOTHING = { passages: [], nextOffset: null, repaired: [], pinned: [] }
const MOST_ARE_GIVEN = `Of one search no more than ${MOST_PASSAGES} passages are given.`

function nothingFound(offset: number, filters: readonly string[]): string {
  if (offset >= MOST_PASSAGES) return MOST_ARE_GIVEN
  if (offset > 0) return 'There are no further passages.'
  const widen = filters.length > 0 ? `, and without the filters (${filters.join(', ')})` : ''
  return `Nothing in the sources matches. Try fewer or other words, or the exact identifier${widen}.`
}

/** A passage with its number in the answer, and its text with complete fences. */
type Numbered = ReturnType<typeof numbered>
const numbered = (passage: Passage, n: number) => ({ ...passage, n, text: closeFences(passage) })

/** Omits code blocks, which the passage contains already. */
function searchHit({ n, title, heading, url, sourceId, type, score, text }: Numbered) {
  return { rank: n, title, heading, url, sourceId, type, score: roundScore(score), passage: text }
}
