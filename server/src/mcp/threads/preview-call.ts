import type { Searched, Retriever } from '#search/retrieve.ts'
import type { SearchRule } from '#search/rules/active-rules.ts'
import { asToolError } from '../definition/tool-result.ts'
import type { ToolContext } from '#mcp/definition/tool.ts'
import { calledTool } from '#mcp/tools/tools.ts'
import { isCut, type RecordedCall, refuseRemote } from './trace-call.ts'

/** A passage found by a call. */
export type PreviewedPassage = { title: string; heading: string; url: string; sourceId: string }

/** The passages of a call's searches under two lists of rules. Null if the call cannot be repeated. */
export type CallPreview = { before: PreviewedPassage[]; after: PreviewedPassage[] } | null

type Deps = {
  context: Omit<ToolContext, 'search' | 'connectRemote' | 'model'>
  retriever: Pick<Retriever, 'retrieve'>
}

/** Repeats the searches of a recorded call under the server's rules, and under `rules`. Makes no external request. */
export async function previewCall(
  { context, retriever }: Deps,
  call: RecordedCall,
  rules: readonly SearchRule[],
): Promise<CallPreview> {
  if (isCut(call)) return null
  const found = async (server: Searched): Promise<PreviewedPassage[] | null> => {
    const tool = calledTool(context.server, call.tool)
    if (tool === undefined) return null
    const passages: PreviewedPassage[] = []
    const repeating: ToolContext = {
      ...context,
      model: null,
      search: async (request, signal) => {
        const result = await retriever.retrieve(server, request, signal)
        for (const { title, heading, url, sourceId } of result.passages)
          passages.push({ title, heading, url, sourceId })
        return result
      },
      connectRemote: refuseRemote,
    }
    try {
      await tool.prepare(JSON.parse(call.arguments))(repeating)
    } catch (error) {
      if (asToolError(error) === null) throw error
      return null
    }
    return passages
  }
  const before = await found({ ...context.server, tool: call.tool })
  const after = before && (await found({ ...context.server, tool: call.tool, rules }))
  return before && after ? { before, after } : null
}
