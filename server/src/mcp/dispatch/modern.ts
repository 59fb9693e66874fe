import { answerResources } from './answer-resources.ts'
import { callTool, failureResult, refuseUnknownTool } from './call-tool.ts'
import { checkModern, META } from './check-modern.ts'
import type { AnswerRequest, Endpoint } from './endpoint.ts'
import type { ReportProgress } from '#mcp/definition/tool.ts'
import { isObject } from '#mcp/protocol/is-object.ts'
import { errorReply, resultReply, RPC, type Reply } from '#mcp/protocol/json-rpc.ts'
import { readClientInfo } from './known-clients.ts'
import type { RpcRequest } from '#mcp/protocol/message.ts'
import { capabilitiesOf, refuseCursor } from './endpoint-tools.ts'
import type { ResultForm } from '#mcp/definition/serialised-result.ts'
import { MODERN_VERSIONS } from '#mcp/protocol/versions.ts'

/** Cache lifetime of a list on clients. Short, because owners who change the tools want to see the result. */
const LIST_TTL_MS = 60_000

/** Answers a request of the stateless revisions (2026-07-28). */
export const answerModern: AnswerRequest = async (endpoint, message, http, report) => {
  const { id, method, params } = message
  const checked = checkModern(message, http.headers)
  if ('error' in checked) return errorReply(id, checked.error, checked.status)
  switch (method) {
    case 'server/discover': {
      const { instructions } = endpoint
      const discovered = { supportedVersions: MODERN_VERSIONS, capabilities: capabilitiesOf(endpoint), instructions }
      return complete(endpoint, id, { ...discovered, ...cacheHints(endpoint) })
    }
    case 'tools/list': {
      const refused = refuseCursor(method, params)
      if (refused) return errorReply(id, refused)
      return complete(endpoint, id, { tools: endpoint.listTools(formOf(endpoint)), ...cacheHints(endpoint) })
    }
    case 'tools/call':
      return call(endpoint, message, { ...checked, signal: http.signal, report })
    default: {
      const client = () => readClientInfo(checked.meta[META.clientInfo])
      const read = await answerResources(endpoint, message, { client, signal: http.signal })
      if (read && 'error' in read) return errorReply(id, read.error)
      if (read) return complete(endpoint, id, { ...read.result, ...cacheHints(endpoint) }, read.members)
      const error = { code: RPC.methodNotFound, message: `The method "${method.slice(0, 100)}" is not served.` }
      return errorReply(id, error, 404)
    }
  }
}

async function call(
  endpoint: Endpoint,
  { id, params }: RpcRequest,
  { meta, capabilities, signal, report }: CheckedCall,
): Promise<Reply> {
  const tool = endpoint.tools.find(({ listed }) => listed.name === params['name'])
  const client = readClientInfo(meta[META.clientInfo])
  if (!tool) return errorReply(id, refuseUnknownTool(endpoint, params, client))
  const missing = Object.entries(tool.requires ?? {}).filter(([name]) => !isObject(capabilities[name]))
  if (missing.length > 0) {
    const message = `${tool.listed.name} needs a client with the capability ${missing.map(([name]) => name).join(', ')}.`
    const data = { requiredCapabilities: Object.fromEntries(missing) }
    return errorReply(id, { code: RPC.missingCapability, message, data }, 400)
  }
  const form = formOf(endpoint)
  const outcome = await callTool(endpoint, tool, { arguments: params['arguments'], client, form, signal, report })
  return outcome.ok
    ? complete(endpoint, id, {}, outcome.result.members)
    : complete(endpoint, id, failureResult(outcome.error))
}

function formOf({ structuredOutput }: Endpoint): ResultForm {
  return { structured: structuredOutput }
}

type CheckedCall = {
  meta: Record<string, unknown>
  capabilities: Record<string, unknown>
  signal: AbortSignal | undefined
  report: ReportProgress | undefined
}

function complete(
  { info }: Endpoint,
  id: RpcRequest['id'],
  result: Record<string, unknown>,
  members?: Uint8Array,
): Reply {
  return resultReply(id, { resultType: 'complete', ...result, _meta: { [META.serverInfo]: info } }, members)
}

function cacheHints({ visibility }: Endpoint) {
  return { ttlMs: LIST_TTL_MS, cacheScope: visibility }
}
