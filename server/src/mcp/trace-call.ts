import type { Explanation } from '#search/explain-search.ts'
import type { SearchRequest, SearchResult } from '#search/passage.ts'
import { isUnknownToolError } from './call-tool.ts'
import { asToolError, ToolError } from './tool-error.ts'
import type { ToolContext } from './tool-context.ts'
import { toolFor } from './tools.ts'

type Explain = (request: SearchRequest) => Promise<{ result: SearchResult; explanation: Explanation }>

/** What a tool did. `remark` says why a call could not be done again as it was; null where it could. */
export type CallTrace = { searches: Explanation[]; remark: string | null }

/** A call as the request log keeps it. */
export type RecordedCall = { tool: string; arguments: string; error: string | null }

/** What the request log puts in place of arguments that are too long for it, and at the end of a text that is. */
const CUT = /…"|^\{"omitted":/

/**
 * Does a recorded call again, with searches that explain themselves. Nothing outside is asked: a remote server is not
 * called, and no model. What the tool throws for its caller becomes the remark; bugs are thrown.
 */
export async function traceCall(
  { context, explain }: { context: Omit<ToolContext, 'search' | 'connectRemote' | 'model'>; explain: Explain },
  call: RecordedCall,
): Promise<CallTrace> {
  if (isUnknownToolError(call.error)) return { searches: [], remark: 'The server had no tool of this name.' }
  const tool = toolFor(call.tool, context.server.sources)
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
    connectRemote: async () => {
      throw new ToolError('failed', 'The call went to a remote server, which is not asked again.')
    },
  }
  const cut = CUT.test(call.arguments) ? 'The recorded arguments are cut: a part of what was asked is missing.' : null
  try {
    await tool.prepare(JSON.parse(call.arguments))(tracing)
    return { searches, remark: cut }
  } catch (error) {
    const told = asToolError(error)
    if (!told) throw error
    return { searches, remark: cut ?? told.message }
  }
}
