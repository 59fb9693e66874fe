import { z } from 'zod'
import { citationOf, type ToolAnswer, type ToolContext } from '../definition/tool.ts'
import { readCursor, writeCursor } from '../arguments/shared-arguments.ts'
import { type Cited, formatPassage, packBlocks } from '../passages/format-citation.ts'
import { indexingNotes } from '../passages/indexing-notes.ts'
import { nextCursorMember, rankedMembers } from '../definition/tool-result.ts'

/** A result of a tool: its citation, displayed text and data. */
export type Entry<D> = Cited & { sourceId: string; text: string; data: D }

/** An entry with the members of a result in its structured content. */
export type EntryOf<Result extends z.ZodRawShape> = Entry<z.output<z.ZodObject<Result>>>

export type PagedAnswer<S, D> = {
  tool: string
  /** The query without its cursor. A cursor is valid only for the same query. */
  asked: unknown
  cursor: string | undefined
  limit: number
  /** Maximum bytes of the whole text. */
  bytes: number
  /** All entries from the first on, or enough of them to detect a next page. */
  entries: readonly Entry<D>[]
  /** Notes below the entries. */
  notes?: readonly string[]
  /** Text for an empty result. */
  nothing: string
  /** Members of the data besides `results` and `nextCursor`. */
  about: S
}

/** Schema of a paged answer: `about` and results with the members of `data`. */
export function pagedOutput<S extends z.ZodRawShape, D extends z.ZodRawShape>(about: S, data: D) {
  return z.object({
    ...about,
    results: z.array(z.object({ ...rankedMembers, ...data })),
    nextCursor: nextCursorMember,
  })
}

type PagedData<S, D> = S & { results: (Ranked & D)[]; nextCursor?: string }
type Ranked = { rank: number; title: string; heading: string; url: string; sourceId: string }

/** Offset of the requested page. Throws a `ToolError` for an invalid cursor. */
export function offsetOf({
  tool,
  asked,
  cursor,
}: Pick<PagedAnswer<unknown, unknown>, 'tool' | 'asked' | 'cursor'>): number {
  return cursor === undefined ? 0 : readCursor(cursor, JSON.stringify([tool, asked]))
}

/** One page of results as a tool answer: bounded, with a citation for each entry. */
export function pagedAnswer<S extends object, D extends object>(
  { server }: Pick<ToolContext, 'server'>,
  answer: PagedAnswer<S, D>,
): ToolAnswer<PagedData<S, D>> {
  const { tool, asked, limit, bytes, entries, notes = [], nothing, about } = answer
  const offset = offsetOf(answer)
  const page = entries.slice(offset, offset + limit)
  const packed = packBlocks(
    page.map((entry, index) => formatPassage(offset + index + 1, entry, entry.text)),
    bytes,
  )
  const shown = page.slice(0, packed.length)
  const isMore = offset + shown.length < entries.length
  const nextCursor = isMore ? writeCursor(offset + shown.length, JSON.stringify([tool, asked])) : undefined
  const remarks = [
    ...(shown.length === 0 ? [offset > 0 ? 'There is nothing further.' : nothing] : []),
    ...notes,
    ...(nextCursor === undefined ? [] : [`More: call ${tool} again with cursor "${nextCursor}".`]),
    ...indexingNotes(server),
  ]
  const ranked = shown.map((entry, index) => ({ ...entry, rank: offset + index + 1 }))
  return {
    text: packed.join('\n\n'),
    passages: ranked.map(({ rank, title, heading, url, text }) => ({ n: rank, title, heading, url, text })),
    notes: remarks,
    data: {
      ...about,
      results: ranked.map(({ rank, title, heading, url, sourceId, data }) => ({
        rank,
        title,
        heading,
        url,
        sourceId,
        ...data,
      })),
      ...(nextCursor === undefined ? {} : { nextCursor }),
    },
    citations: ranked.map((entry) => citationOf({ ...entry, score: 1 / entry.rank })),
  }
}
