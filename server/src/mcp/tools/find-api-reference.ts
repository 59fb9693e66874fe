import { builtInTool, kindsFor } from '@docent/contract/values/tools'
import { z } from 'zod'
import { findPlaces } from '#library/reference/find-places.ts'
import { oneLine } from '#mcp/passages/frame.ts'
import { knownVersion, missingOutput, missingSource, sourceScope } from '../arguments/named-source.ts'
import { offsetOf, pagedAnswer, pagedOutput } from '#mcp/results/paged-answer.ts'
import {
  FIRST,
  type Match,
  OTHERS,
  matchMember,
  placeEntry,
  referenceResult,
  relatedEntry,
} from '../results/reference-result.ts'
import { cursorArgument, optionalTextArgument, sourceArgument, textArgument } from '#mcp/arguments/shared-arguments.ts'
import { defineTool, READ_ONLY, type ToolContext } from '#mcp/definition/tool.ts'

const input = z.object({
  name: textArgument(500, 'A function, class, method, option, command or type, or an endpoint such as GET /users/{id}'),
  source: sourceArgument,
  version: optionalTextArgument(60, 'Only pages whose address says that they are for this version'),
  limit: z.int().min(1).max(10).default(3).describe('How many places'),
  cursor: cursorArgument,
})

const output = pagedOutput({ name: z.string(), match: matchMember, missing: missingOutput }, referenceResult)

export const findApiReference = defineTool<typeof input, typeof output, ToolContext>({
  ...builtInTool('find_api_reference'),
  annotations: READ_ONLY,
  input,
  output,
  async call(context, { cursor, limit, ...asked }, signal) {
    const { name } = asked
    const base = sourceScope(context.server, asked.source)
    const { version, notes } = await knownVersion(context.library, asked.version, base)
    const scope = version === undefined ? base : { ...base, version }
    const { places, passages } = await findPlaces(context, { name, scope }, signal)
    if (
      places.length === 0 &&
      passages.length === 0 &&
      context.server.sources.every(({ segments }) => segments.length === 0)
    ) {
      return missingSource(
        context,
        {
          what: 'pages yet',
          needs: kindsFor('find_api_reference'),
          add: 'Add a description of the API (type api: OpenAPI, GraphQL, AsyncAPI, Postman), a repository or a documentation site.',
        },
        { name, match: 'none' as const },
      )
    }
    const match = places[0]?.match ?? (passages.length > 0 ? 'related' : 'none')
    const paging = { tool: 'find_api_reference', asked, cursor, limit }
    const upTo = offsetOf(paging) + limit + 1
    const entries =
      places.length > 0
        ? places.slice(0, upTo).map((place, index) => placeEntry(place, name, index))
        : passages.map(relatedEntry)
    return pagedAnswer(context, {
      ...paging,
      bytes: Math.max(8_000, FIRST + limit * OTHERS),
      entries,
      notes: [...notes, ...matchNotes(match, name)],
      nothing: `Nothing here is called "${oneLine(name, 100)}", and nothing speaks of it. Try another spelling, or search_docs.`,
      about: { name, match },
    })
  },
})

function matchNotes(match: Match, name: string): string[] {
  const asked = oneLine(name, 100)
  if (match === 'similar') return [`Nothing is called "${asked}"; these names are the most like it.`]
  if (match === 'part') return [`Nothing is called "${asked}" in full; these have the last part of the name.`]
  if (match === 'related') return [`Nothing is called "${asked}"; these passages speak of it.`]
  return []
}
