import type { CallPreview, Explanation, PreviewedAnswer, RecordedCall } from '#search/explain-search.ts'
import type { SearchRequest, SearchResult } from '#search/passage.ts'
import type { Searched, Retriever } from '#search/retrieve.ts'
import type { SearchRule } from '#search/rules/active-rules.ts'
import type { SearchPin } from '#search/rules/pinned-sections.ts'
import { READ_RESOURCE, isUnknownToolError } from '../dispatch/call-tool.ts'
import { asToolError, ToolError } from '../definition/tool-result.ts'
import type { ToolContext, ToolResult } from '../definition/tool.ts'
import { calledTool } from '../tools/tools.ts'

type InspectContext = Omit<ToolContext, 'search' | 'connectRemote' | 'model'>
type Tool = NonNullable<ReturnType<typeof calledTool>>
type Explain = (request: SearchRequest) => Promise<{ result: SearchResult; explanation: Explanation }>

/** Trace of a tool call. `remark` explains why a call could not be repeated exactly, or is null. */
export type CallTrace = { searches: Explanation[]; remark: string | null }

/** Markers in the request log for arguments of which it has only a part. */
const CUT = /…"|^\{"omitted":/

/** Stands in for remote servers, which are not called again. */
const refuseRemote: ToolContext['connectRemote'] = async () => {
  throw new ToolError('failed', 'The call went to a remote server, which is not asked again.')
}

/** Repeats a recorded call with search explanations, without remote servers and models. Throws bugs. */
export async function traceCall(
  { context, explain }: { context: InspectContext; explain: Explain },
  call: RecordedCall,
): Promise<CallTrace> {
  if (isUnknownToolError(call.error)) return { searches: [], remark: 'The server had no tool of this name.' }
  if (call.tool === READ_RESOURCE)
    return { searches: [], remark: 'The page was read by its address, without a search.' }
  const tool = calledTool(context.server, call.tool)
  if (!tool) return { searches: [], remark: 'This tool is not there any more.' }
  const searches: Explanation[] = []
  const { refusal } = await repeat({ context, tool, call }, async (request) => {
    const { result, explanation } = await explain(request)
    searches.push(explanation)
    return result
  })
  const isCut = CUT.test(call.arguments)
  const cut = isCut ? 'The recorded arguments are cut: a part of what was asked is missing.' : null
  return { searches, remark: cut ?? refusal?.message ?? null }
}

/** The result of a tool, or its refusal. */
type Repeated = { result: ToolResult; refusal: null } | { result: null; refusal: ToolError }

/** Runs a tool again with other searches, and without remote servers and models. */
async function repeat(
  { context, tool, call }: { context: InspectContext; tool: Tool; call: RecordedCall },
  search: ToolContext['search'],
): Promise<Repeated> {
  try {
    const run = tool.prepare(JSON.parse(call.arguments))
    return { result: await run({ ...context, model: null, search, connectRemote: refuseRemote }), refusal: null }
  } catch (error) {
    const refusal = asToolError(error)
    if (refusal === null) throw error
    return { result: null, refusal }
  }
}

/** Rules and pins in place of those of the server. */
export type PreviewChanges = { rules?: readonly SearchRule[]; pins?: readonly SearchPin[] }

/** Repeats a recorded call with the rules and pins of the server, and with `changes`. Makes no external request. */
export async function previewCall(
  { context, retriever }: { context: InspectContext; retriever: Pick<Retriever, 'retrieve'> },
  call: RecordedCall,
  changes: PreviewChanges,
): Promise<CallPreview> {
  if (CUT.test(call.arguments)) return null
  const tool = calledTool(context.server, call.tool)
  if (tool === undefined) return null
  const answer = async (server: Searched): Promise<PreviewedAnswer | null> => {
    const found: PreviewedAnswer['found'] = []
    const { result } = await repeat({ context, tool, call }, async (request, signal) => {
      const searched = await retriever.retrieve(server, request, signal)
      for (const { title, heading, url, sourceId } of searched.passages) found.push({ title, heading, url, sourceId })
      return searched
    })
    return result && { found, ...shownOf(result) }
  }
  const called = { ...context.server, tool: call.tool }
  const before = await answer(called)
  const after = before && (await answer({ ...called, ...changes }))
  return before && after ? { before, after } : null
}

/** The answer without its citation lines if the tool makes one, and else its whole text. */
function shownOf({ content, structuredContent, confidence, passages = [] }: ToolResult) {
  const shown = structuredContent?.['answer'] ?? content[0]?.['text']
  const cited = passages.map(({ title, heading, url }) => ({ title, heading, url }))
  return { text: typeof shown === 'string' ? shown : '', confidence: confidence ?? null, cited }
}
