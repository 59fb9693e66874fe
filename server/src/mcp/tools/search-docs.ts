import { isUploadUrl } from '#lib/addresses/page-address.ts'
import { defined } from '#lib/objects.ts'
import { SOURCE_TYPES } from '@docent/contract/values/source-kinds'
import type { SourceType } from '@docent/contract/values/sources'
import { z } from 'zod'
import { knownVersion, sourceScope } from '../arguments/named-source.ts'
import { pageAnswer, requireQuery } from '../pages/page-answer.ts'
import { searchAnswer, searchOutput } from '../results/search-answer.ts'
import {
  cursorArgument,
  optionalQueryArgument,
  pageArgument,
  sourceArgument,
  versionArgument,
} from '../arguments/shared-arguments.ts'
import { defineReader, type ToolContext } from '../definition/tool.ts'

const input = z.object({
  query: optionalQueryArgument(
    'What to look for: a question, a term, an identifier or an error message. Required without "page"',
  ),
  page: pageArgument,
  source: sourceArgument,
  type: z.enum(SOURCE_TYPES).optional().describe('Only sources of this kind. "pdf" also finds the PDFs of an upload'),
  path: z
    .string()
    .max(1_000)
    .optional()
    .describe('Only pages whose URL path starts with this; * stands for any characters'),
  version: versionArgument,
  limit: z.int().min(1).max(20).default(5).describe('How many passages'),
  cursor: cursorArgument,
})

/** Arguments to drop when a search finds too little. */
const FILTERS = ['source', 'type', 'path', 'version']

export const searchDocs = defineReader('search_docs', {
  input,
  output: searchOutput,
  check: requireQuery,
  async call(context, { query, page, limit, cursor, version: asked, ...given }, signal) {
    if (page !== undefined) {
      const { sourceId } = sourceScope(context.server, given.source)
      return pageAnswer(context, { page, sourceId, query, cursor, tool: 'search_docs' })
    }
    const { source, type, path } = given
    // A source can be given by name.
    const filters = { ...sourceScope(context.server, source), ...defined({ type, path }) }
    const { version, notes } = await knownVersion(context.library, asked, filters)
    const hasFilters = asked !== undefined || Object.keys(given).length > 0
    const request = {
      query: requireQuery({ query }),
      limit,
      cursor,
      filters: { ...filters, ...defined({ version }) },
      notes: [...notes, ...typeNote(context.server, type)],
      tool: { name: 'search_docs', filters: hasFilters ? FILTERS : [] },
    }
    return searchAnswer(context, request, signal)
  },
})

/** Explains why a type finds nothing. PDFs can also be files of an upload, which has the type of a site. */
function typeNote({ sources }: ToolContext['server'], type: SourceType | undefined): string[] {
  const types = [...new Set(sources.map((source) => source.type))]
  if (type === undefined || types.length === 0 || types.includes(type)) return []
  if (type === 'pdf' && sources.some(({ url }) => isUploadUrl(url))) return []
  const known = types.map((each) => `"${each}"`).join(', ')
  return [`No source of this server has the type "${type}", only ${known}. Search without "type".`]
}
