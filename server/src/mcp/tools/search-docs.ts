import { builtInTool } from '@docent/contract/tools'
import { SOURCE_TYPES } from '@docent/contract/sources'
import { z } from 'zod'
import type { Passage } from '#search/passage.ts'
import { citationOf } from '../citation-of.ts'
import { readCursor, writeCursor } from '../cursor.ts'
import { framePassage, note } from '../frame.ts'
import { indexingNotes } from '../indexing-notes.ts'
import { packBlocks } from '../pack-blocks.ts'
import { resourceLinks } from '../resource-links.ts'
import { sourceIdOf } from '../source-id-of.ts'
import { defineTool, READ_ONLY } from '../tool.ts'
import type { ToolContext } from '../tool-context.ts'

/** Bytes of the whole text per passage asked for, with a floor so that few passages may be long ones. */
const BYTES_A_PASSAGE = 1_150
const LEAST_BYTES = 5_750

/** Of these, what the citation lines of a passage take on the average site. */
const FRAME_BYTES = 190

const input = z.object({
  query: z
    .string()
    .trim()
    .min(1)
    .max(4_000)
    .describe('What to look for: a question, a term, an identifier or an error message'),
  source: z.string().max(2_000).optional().describe('Only this source: its id, label or address'),
  type: z.enum(SOURCE_TYPES).optional().describe('Only sources of this kind'),
  path: z
    .string()
    .max(1_000)
    .optional()
    .describe('Only pages whose URL path starts with this; * stands for any characters'),
  limit: z.int().min(1).max(20).default(5).describe('How many passages'),
  cursor: z.string().max(200).optional().describe('nextCursor of the previous answer, to go on from there'),
})

export const searchDocs = defineTool<typeof input, ToolContext>({
  ...builtInTool('search_docs'),
  annotations: READ_ONLY,
  input,
  async call({ server, search }, { query, limit, cursor, ...filters }, signal) {
    const scope = JSON.stringify([query, filters])
    const offset = cursor === undefined ? 0 : readCursor(cursor, scope)
    const bytes = Math.max(LEAST_BYTES, limit * BYTES_A_PASSAGE)
    const budget = bytes - limit * FRAME_BYTES
    const request = { query, limit, offset, budget, ...filterOf(server, filters) }
    const { passages, nextOffset, repaired } = await search(request, signal)

    const packed = packBlocks(
      passages.map((passage) => framePassage(passage.rank, passage, passage.passage)),
      bytes,
    )
    const shown = passages.slice(0, packed.length)
    // Ranks count every passage, those included whose text is gone meanwhile.
    const next = shown.length < passages.length ? (shown.at(-1)?.rank ?? offset) : nextOffset
    const nextCursor = next === null ? undefined : writeCursor(next, scope)
    const notes = [
      ...repaired.map(([given, used]) => note(`No page has "${given}"; searched for "${used}".`)),
      ...(shown.length === 0 ? [nothingFound(offset, Object.keys(filters).length > 0)] : []),
      ...(nextCursor === undefined ? [] : [note(`More: call search_docs again with cursor "${nextCursor}".`)]),
      ...indexingNotes(server),
    ]
    return {
      content: [
        { type: 'text', text: [...packed, notes.join('\n')].filter(Boolean).join('\n\n') },
        ...resourceLinks(shown),
      ],
      structuredContent: { query, results: shown.map(searchHit), ...(nextCursor === undefined ? {} : { nextCursor }) },
      citations: shown.map(citationOf),
    }
  },
})

type Filters = Pick<z.output<typeof input>, 'source' | 'type' | 'path'>

/** As the index takes them; a source may be named in words. */
function filterOf(server: ToolContext['server'], { source, type, path }: Filters) {
  return {
    ...(source === undefined ? {} : { sourceId: sourceIdOf(server, source) }),
    ...(type === undefined ? {} : { type }),
    ...(path === undefined ? {} : { path }),
  }
}

function nothingFound(offset: number, filtered: boolean): string {
  if (offset > 0) return note('There are no further passages.')
  const widen = filtered ? ', and without the filters (source, type, path)' : ''
  return note(`Nothing in the sources matches. Try fewer or other words, or the exact identifier${widen}.`)
}

function searchHit({ rank, title, heading, url, sourceId, type, score, passage, code }: Passage) {
  return { rank, title, heading, url, sourceId, type, score, passage, ...(code.length > 0 ? { code } : {}) }
}
