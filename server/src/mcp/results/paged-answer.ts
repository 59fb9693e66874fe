import { z } from 'zod'
import { defined } from '#lib/objects.ts'
import { citationOf, type ToolAnswer, type ToolContext } from '../definition/tool.ts'
import { readCursor, writeCursor } from '../arguments/shared-arguments.ts'
import { type Cited, formatPassage, packBlocks } from '../passages/format-citation.ts'
import { outcomeOfResults } from '../definition/outcome.ts'
import { indexingNotes, nextCursorMember, rankedMembers } from '../definition/tool-result.ts'

/** A result of a tool: its citation, displayed text and data. Without a score, its rank determines that. */
export type Entry<D> = Cited & { sourceId: string; text: string; data: D; score?: number }

/** An entry with the members of a result in its structured content. */
export type EntryOf<Result extends z.ZodRawShape> = Entry<z.output<z.ZodObject<Result>>>

/** `asked`: the query without its cursor. A cursor is valid only for the same query. */
type Paging = { tool: string; asked: unknown; cursor: string | undefined; limit: number }

type PagedAnswer<S, D> = {
  /** Maximum bytes of the whole text. */
  bytes: number
  /** All entries from the first on, or enough of them to detect a next page. */
  entries: readonly Entry<D>[]
  /** Sorts the entries of a page. */
  arrange?: (shown: Entry<D>[]) => Entry<D>[]
  /** Notes below the entries. */
  notes?: readonly string[]
  /** Text for an empty result. */
  nothing: string
  /** The entries are only something like what was asked for. */
  isRelated?: boolean
  /** Members of the data besides `results` and `nextCursor`. */
  about: S
}

/** Schema of a paged answer: `about` and results with the members of `data`. */
export function pagedOutput<S extends z.ZodRawShape, D extends z.ZodRawShape>(about: S, data: D) {
  const results = z.array(z.object({ ...rankedMembers, ...data }))
  return z.object({ ...about, results, nextCursor: nextCursorMember })
}

type PagedData<S, D> = S & { results: (Cited & { rank: number; sourceId: string } & D)[]; nextCursor?: string }

/** Offset of the requested page. Throws a `ToolError` for an invalid cursor. */
export const offsetOf = ({ tool, asked, cursor }: Paging): number => readCursor(cursor, JSON.stringify([tool, asked]))

/** The citation of a place in a page. */
export const placeIn = (page: { title: string; sourceId: string }, heading: string, url: string) => {
  return { title: page.title, heading, url, sourceId: page.sourceId }
}

/** One page of results as a tool answer: bounded, with a citation for each entry. */
export function pagedAnswer<S extends object, D extends object>(
  { server }: Pick<ToolContext, 'server'>,
  paging: Paging,
  { bytes, entries, arrange = (shown) => shown, notes = [], nothing, isRelated = false, about }: PagedAnswer<S, D>,
): ToolAnswer<PagedData<S, D>> {
  const { tool, asked, limit } = paging
  const offset = offsetOf(paging)
  const page = entries.slice(offset, offset + limit)
  const pack = (list: readonly Entry<D>[]) =>
    packBlocks(
      list.map((entry, index) => formatPassage(offset + index + 1, entry, entry.text)),
      bytes,
    )
  const shown = arrange(page.slice(0, pack(page).length))
  const isMore = offset + shown.length < entries.length
  const nextCursor = isMore ? writeCursor(offset + shown.length, JSON.stringify([tool, asked])) : undefined
  const remarks = [
    ...(shown.length === 0 ? [offset > 0 ? 'There is nothing further.' : nothing] : []),
    ...notes,
    ...(nextCursor === undefined ? [] : [`More: call ${tool} again with cursor "${nextCursor}".`]),
    ...indexingNotes(server),
  ]
  const ranked = shown.map((entry, index) => ({ score: 1 / (offset + index + 1), ...entry, rank: offset + index + 1 }))
  const resultOf = ({ rank, title, heading, url, sourceId, data }: (typeof ranked)[number]) => {
    return { rank, title, heading, url, sourceId, ...data }
  }
  return {
    text: pack(shown).join('\n\n'),
    passages: ranked.map(({ rank, title, heading, url, text }) => ({ n: rank, title, heading, url, text })),
    notes: remarks,
    data: { ...about, results: ranked.map(resultOf), ...defined({ nextCursor }) },
    citations: ranked.map(citationOf),
    outcome: isRelated && ranked.length > 0 ? 'related' : outcomeOfResults(ranked),
  }
}
