import { builtInTool } from '@docent/contract/tools'
import { z } from 'zod'
import { callRemote } from '../call-remote.ts'
import { listRemote } from '../list-remote.ts'
import { namedSource } from '../named-source.ts'
import { searchAnswer } from '../search-answer.ts'
import { cursorArgument } from '../shared-arguments.ts'
import { defineTool, type ToolAnnotations } from '../tool.ts'
import type { ToolContext } from '../tool-context.ts'
import { ToolError } from '../tool-error.ts'

/** A remote tool may do more than look things up; those that say that they destroy are not called. */
const REACHES_OUT: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
}

const input = z.object({
  source: z.string().trim().min(1).max(2_000).describe('The source: its id, label or address'),
  query: z.string().trim().min(1).max(4_000).optional().describe('What to look for in its indexed text'),
  tool: z
    .string()
    .max(1_000)
    .optional()
    .describe(
      'For a source that is an MCP server: the tool to call there now. Without query and tool its tools are listed',
    ),
  arguments: z
    .string()
    .max(50_000)
    .optional()
    .describe('Arguments of that tool as the text of a JSON object, such as {"city": "Oslo"}'),
  limit: z.int().min(1).max(20).default(5).describe('How many passages'),
  cursor: cursorArgument,
})

export const querySource = defineTool<typeof input, ToolContext>({
  ...builtInTool('query_source'),
  annotations: REACHES_OUT,
  input,
  async call(context, { source: asked, query, tool, arguments: json, limit, cursor }, signal) {
    const source = namedSource(context.server, asked)
    if (source.type === 'mcp' && tool !== undefined) {
      return callRemote(context, { source, tool, args: readArguments(json) }, signal)
    }
    if (tool !== undefined) {
      throw new ToolError('arguments', 'Only sources that are MCP servers have tools. Give "query" to search this one.')
    }
    if (query !== undefined) {
      const filters = { sourceId: source.id }
      return searchAnswer(
        context,
        { query, limit, cursor, filters, tool: { name: 'query_source', filters: [] } },
        signal,
      )
    }
    if (source.type === 'mcp') return listRemote(context, source, signal)
    throw new ToolError('arguments', 'Give "query" to search this source.')
  },
})

function readArguments(json: string | undefined): Record<string, unknown> {
  const parsed = z.record(z.string(), z.unknown()).safeParse(parse(json ?? '{}'))
  if (parsed.success) return parsed.data
  throw new ToolError('arguments', '"arguments" must be the text of a JSON object, such as {"city": "Oslo"}.')
}

/** Undefined for what is no JSON, which no JSON is. */
function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
