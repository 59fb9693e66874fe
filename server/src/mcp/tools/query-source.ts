import { sourceKind } from '@docent/contract/values/source-kinds'
import type { SourceType } from '@docent/contract/values/sources'
import { builtInTool } from '@docent/contract/values/tools'
import type { z } from 'zod'
import { callRemote, readArguments, liveInput, liveOutput, searchInput } from '../remote/call-remote.ts'
import { listRemote } from '../remote/list-remote.ts'
import { namedSource } from '../arguments/named-source.ts'
import { pageAnswer, requireQuery } from '../pages/page-answer.ts'
import { searchAnswer, searchOutput } from '../results/search-answer.ts'
import {
  defineTool,
  MAY_CHANGE,
  READ_ONLY,
  type Tool,
  type ToolAnnotations,
  type ToolContext,
} from '../definition/tool.ts'
import { ToolError } from '../definition/tool-result.ts'

const { name, title, description } = builtInTool('query_source')

/** For servers without a remote MCP server. */
const searchOnly = defineTool<typeof searchInput, typeof searchOutput, ToolContext>({
  name,
  title,
  description: 'Ask one named source only, when you know where the answer is or want to compare sources.',
  annotations: READ_ONLY,
  input: searchInput,
  output: searchOutput,
  check: requireQuery,
  call: readSource,
})

const liveTool = (annotations: ToolAnnotations) =>
  defineTool<typeof liveInput, typeof liveOutput, ToolContext>({
    name,
    title,
    description,
    annotations,
    input: liveInput,
    output: liveOutput,
    async call(context, { source: asked, query, tool, arguments: json, ...rest }, signal) {
      const source = namedSource(context.server, asked)
      if (sourceKind(source.type).hasTools && tool !== undefined) {
        return callRemote(context, { source, tool, args: readArguments(json) }, signal)
      }
      if (tool !== undefined) {
        const why = 'Only sources that are MCP servers have tools. Give "query" to search this one.'
        throw new ToolError('arguments', why)
      }
      const isRead = query !== undefined || rest.page !== undefined
      if (!isRead && sourceKind(source.type).hasTools) return listRemote(context, source, signal)
      return readSource(context, { source: asked, query, ...rest }, signal)
    },
  })

/** Description for servers with MCP sources, whose read-only tools can be called. */
export const querySource = liveTool({ ...READ_ONLY, openWorldHint: true })
/** The same if the owner allows other tools. */
const changingTool = liveTool(MAY_CHANGE)

/** Sources, as far as this tool depends on them. */
export type SourcesOfTool = readonly { type: SourceType; allowedTools?: readonly string[] }[]

/** The tool, with arguments and annotations that fit the sources of the server. */
export function querySourceFor(sources: SourcesOfTool): Tool<ToolContext> {
  const remote = sources.filter(({ type }) => sourceKind(type).hasTools)
  if (remote.length === 0) return searchOnly
  return remote.some(({ allowedTools = [] }) => allowedTools.length > 0) ? changingTool : querySource
}

/** Searches a source, or reads a page of it. */
async function readSource(
  context: ToolContext,
  { source: asked, query, page, limit, cursor }: z.output<typeof searchInput>,
  signal: AbortSignal | undefined,
) {
  const { id: sourceId } = namedSource(context.server, asked)
  if (page !== undefined) return pageAnswer(context, { page, sourceId, query, cursor, tool: name })
  const request = { query: requireQuery({ query }), limit, cursor, filters: { sourceId }, tool: { name, filters: [] } }
  return searchAnswer(context, request, signal)
}
