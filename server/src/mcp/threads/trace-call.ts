import type { Explanation } from '#search/explain-search.ts'
import type { SearchRequest, SearchResult } from '#search/passage.ts'
import { READ_RESOURCE, isUnknownToolError } from '../dispatch/call-tool.ts'
import { asToolError, ToolError } from '../definition/tool-result.ts'
import type { ToolContext } from '#mcp/definition/tool.ts'
import { calledTool } from '#mcp/tools/tools.ts'

type Explain = (request: SearchRequest) => Promise<{ result: SearchResult; explanation: Explanation }>

/** Trace of a tool call. `remark` explains why a call could not be repeated exactly, or is null. */
export type CallTrace = { searches: Explanation[]; remark: string | null }

/** A call as stored in the request log. */
export type RecordedCall = { tool: string; arguments: string; error: string | null }

/** Markers of the request log for clipped arguments and clipped texts. */
const CUT = /…"|^\{"omitted":/

/** True if the request log has only a part of the arguments. */
export function isCut({ arguments: recorded }: RecordedCall): boolean {
  return CUT.test(recorded)
}

/** Stands in for remote servers, which are not called again. */
export const refuseRemote: ToolContext['connectRemote'] = async () => {
  throw new ToolError('failed', 'The call went to a remote server, which is not asked again.')
}

/**
 * Repeats a recorded call with search explanations. Makes no external request: remote servers and models are not
 * called. A tool's refusal becomes the remark. Bugs are thrown.
 */
export async function traceCall(
  { context, explain }: { context: Omit<ToolContext, 'search' | 'connectRemote' | 'model'>; explain: Explain },
  call: RecordedCall,
): Promise<CallTrace> {
  if (isUnknownToolError(call.error)) return { searches: [], remark: 'The server had no tool of this name.' }
  if (call.tool === READ_RESOURCE)
    return { searches: [], remark: 'The page was read by its address, without a search.' }
  const tool = calledTool(context.server, call.tool)
  if (!tool) return { searches: [], remark: 'This tool is not there any more.' }
  const searches: Explanation[] = []
  const tracing: ToolContext = {
    ...context,
    model: null,
    search: async (request) => {
      const { result, explanation } = await explain(request)
      searches.push(explanation)
      return result
    },
    connectRemote: refuseRemote,
  }
  const cut = isCut(call) ? 'The recorded arguments are cut: a part of what was asked is missing.' : null
  try {
    await tool.prepare(JSON.parse(call.arguments))(tracing)
    return { searches, remark: cut }
  } catch (error) {
    const told = asToolError(error)
    if (!told) throw error
    return { searches, remark: cut ?? told.message }
  }
}
