import { z } from 'zod'
import { citationOf } from './citation-of.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { type Cited, framePassage } from './frame.ts'
import { indexingNotes } from './indexing-notes.ts'
import { packBlocks } from './pack-blocks.ts'
import { nextCursorMember, rankedMembers } from './output-members.ts'
import type { ToolAnswer } from './tool.ts'
import type { ToolContext } from './tool-context.ts'

/** Something that a tool found: how it is cited, what is shown of it, and the same as data. */
export type Entry<D> = Cited & { sourceId: string; text: string; data: D }

export type PagedAnswer<S, D> = {
  tool: string
  /** What was asked, without the cursor: a cursor leads on in the answers to the very same. */
  asked: unknown
  cursor: string | undefined
  limit: number
  /** Bytes of the whole text. */
  bytes: number
  /** Everything there is from the first one on, or what there is of it to know whether there is more. */
  entries: readonly Entry<D>[]
  /** Remarks that stand below the entries. */
  notes?: readonly string[]
  /** Said where there is nothing. */
  nothing: string
  /** Members of the data beside `results` and `nextCursor`. */
  about: S
}

/** The data of a paged answer: `about` beside the results, whose own members are `data`. */
export function pagedOutput<S extends z.ZodRawShape, D extends z.ZodRawShape>(about: S, data: D) {
  return z.object({
    ...about,
    results: z.array(z.object({ ...rankedMembers, ...data })),
    nextCursor: nextCursorMember,
  })
}

type PagedData<S, D> = S & { results: (Ranked & D)[]; nextCursor?: string }
type Ranked = { rank: number; title: string; heading: string; url: string; sourceId: string }

/** The place in the answers at which a page begins. Throws a `ToolError` for a cursor that leads nowhere. */
export function offsetOf({
  tool,
  asked,
  cursor,
}: Pick<PagedAnswer<unknown, unknown>, 'tool' | 'asked' | 'cursor'>): number {
  return cursor === undefined ? 0 : readCursor(cursor, JSON.stringify([tool, asked]))
}

/** One page of what a tool found, as its answer: framed, within bounds, each entry cited. */
export function pagedAnswer<S extends object, D extends object>(
  { server }: Pick<ToolContext, 'server'>,
  answer: PagedAnswer<S, D>,
): ToolAnswer<PagedData<S, D>> {
  const { tool, asked, limit, bytes, entries, notes = [], nothing, about } = answer
  const offset = offsetOf(answer)
  const page = entries.slice(offset, offset + limit)
  const packed = packBlocks(
    page.map((entry, index) => framePassage(offset + index + 1, entry, entry.text)),
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
