import { builtInTool } from '@docent/contract/tools'
import { SOURCE_TYPES } from '@docent/contract/sources'
import { z } from 'zod'
import { namedSource } from '../named-source.ts'
import { searchAnswer } from '../search-answer.ts'
import { defineTool, READ_ONLY } from '../tool.ts'
import type { ToolContext } from '../tool-context.ts'

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

/** Arguments that can be left out to find more. */
const FILTERS = ['source', 'type', 'path']

export const searchDocs = defineTool<typeof input, ToolContext>({
  ...builtInTool('search_docs'),
  annotations: READ_ONLY,
  input,
  call(context, { query, limit, cursor, ...filters }, signal) {
    const tool = { name: 'search_docs', filters: Object.keys(filters).length > 0 ? FILTERS : [] }
    return searchAnswer(context, { query, limit, cursor, filters: filterOf(context.server, filters), tool }, signal)
  },
})

type Filters = Pick<z.output<typeof input>, 'source' | 'type' | 'path'>

/** As the index takes them; a source may be named in words. */
function filterOf(server: ToolContext['server'], { source, type, path }: Filters) {
  return {
    ...(source === undefined ? {} : { sourceId: namedSource(server, source).id }),
    ...(type === undefined ? {} : { type }),
    ...(path === undefined ? {} : { path }),
  }
}
