import { citationOf } from './citation-of.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { type Cited, framePassage, note } from './frame.ts'
import { indexingNotes } from './indexing-notes.ts'
import { packBlocks } from './pack-blocks.ts'
import { resourceLinks } from './resource-links.ts'
import type { ToolResult } from './tool.ts'
import type { ToolContext } from './tool-context.ts'

/** Something that a tool found: how it is cited, what is shown of it, and the same as data. */
export type Entry = Cited & { sourceId: string; text: string; data: Record<string, unknown> }

export type PagedAnswer = {
  tool: string
  /** What was asked, without the cursor: a cursor leads on in the answers to the very same. */
  asked: unknown
  cursor: string | undefined
  limit: number
  /** Bytes of the whole text. */
  bytes: number
  /** Everything there is from the first one on, or what there is of it to know whether there is more. */
  entries: readonly Entry[]
  /** Remarks that stand below the entries. */
  notes?: readonly string[]
  /** Said where there is nothing. */
  nothing: string
  /** Members of the structured content beside `results` and `nextCursor`. */
  structured: Record<string, unknown>
}

/** The place in the answers at which a page begins. Throws a `ToolError` for a cursor that leads nowhere. */
export function offsetOf({ tool, asked, cursor }: Pick<PagedAnswer, 'tool' | 'asked' | 'cursor'>): number {
  return cursor === undefined ? 0 : readCursor(cursor, JSON.stringify([tool, asked]))
}

/** One page of what a tool found, as its result: framed, within bounds, each entry cited. */
export function pagedAnswer({ server }: Pick<ToolContext, 'server'>, answer: PagedAnswer): ToolResult {
  const { tool, asked, limit, bytes, entries, notes = [], nothing, structured } = answer
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
    ...(shown.length === 0 ? [note(offset > 0 ? 'There is nothing further.' : nothing)] : []),
    ...notes,
    ...(nextCursor === undefined ? [] : [note(`More: call ${tool} again with cursor "${nextCursor}".`)]),
    ...indexingNotes(server),
  ]
  const ranked = shown.map((entry, index) => ({ ...entry, rank: offset + index + 1 }))
  return {
    content: [
      { type: 'text', text: [...packed, remarks.join('\n')].filter(Boolean).join('\n\n') },
      ...resourceLinks(shown),
    ],
    structuredContent: {
      ...structured,
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
