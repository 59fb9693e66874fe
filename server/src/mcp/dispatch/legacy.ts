import { answerResources, callTool, failureResult, refuseUnknownTool } from './call-tool.ts'
import { type AnswerRequest, type Endpoint, capabilitiesOf, refuseCursor } from './endpoint.ts'
import type { ReportProgress } from '../definition/tool.ts'
import {
  errorReply,
  resultReply,
  RPC,
  type Reply,
  type RequestId,
  type RpcRequest,
  FIRST_STRUCTURED_VERSION,
  LATEST_LEGACY_VERSION,
  LEGACY_VERSIONS,
} from '../protocol/message.ts'
import { readClientInfo } from './known-clients.ts'
import type { McpRequest } from '../protocol/request.ts'
import type { ResultForm } from '../definition/tool-result.ts'

/**
 * Answers a request of the handshake revisions (2024-11-05 to 2025-11-25). Keeps no session: calls are served without a
 * preceding `initialize`, whose `clientInfo` is stored for the log only.
 */
export const answerLegacy: AnswerRequest = async (endpoint, message, http, report) => {
  const { id, method, params } = message
  switch (method) {
    case 'initialize': {
      const client = readClientInfo(params['clientInfo'])
      if (client) await endpoint.hooks.rememberClient(http, client)
      return resultReply(id, initialize(endpoint, params['protocolVersion']))
    }
    case 'ping':
      return resultReply(id, {})
    case 'tools/list': {
      const refused = refuseCursor(method, params)
      return refused ? errorReply(id, refused) : resultReply(id, { tools: endpoint.listTools(formOf(endpoint, http)) })
    }
    case 'tools/call':
      return call(endpoint, message, http, report)
    default: {
      const client = () => clientOf(endpoint, http)
      const read = await answerResources(endpoint, message, { client, signal: http.signal })
      if (read) return 'error' in read ? errorReply(id, read.error) : resultReply(id, read.result, read.members)
      return errorReply(id, {
        code: RPC.methodNotFound,
        message: `The method "${method.slice(0, 100)}" is not served.`,
      })
    }
  }
}

/** Refuses an unknown revision in an `MCP-Protocol-Version` header. Null if the header is absent or known. */
export function refuseLegacyVersion(version: string | null, id: RequestId | null): Reply | null {
  if (version === null || LEGACY_VERSIONS.includes(version)) return null
  const message = `The protocol version "${version.slice(0, 40)}" is not supported. Supported: ${LEGACY_VERSIONS.join(', ')}.`
  return errorReply(id, { code: RPC.invalidRequest, message }, 400)
}

function initialize(endpoint: Endpoint, asked: unknown): Record<string, unknown> {
  const { info, instructions } = endpoint
  const known = typeof asked === 'string' && LEGACY_VERSIONS.includes(asked)
  return {
    protocolVersion: known ? asked : LATEST_LEGACY_VERSION,
    capabilities: capabilitiesOf(endpoint),
    serverInfo: info,
    instructions,
  }
}

async function call(
  endpoint: Endpoint,
  { id, params }: RpcRequest,
  http: McpRequest,
  report?: ReportProgress,
): Promise<Reply> {
  const tool = endpoint.tools.find(({ listed }) => listed.name === params['name'])
  const client = await clientOf(endpoint, http)
  if (!tool) return errorReply(id, refuseUnknownTool(endpoint, params, client))
  const form = formOf(endpoint, http)
  const { signal } = http
  const outcome = await callTool(endpoint, tool, { arguments: params['arguments'], client, form, signal, report })
  if (outcome.ok) return resultReply(id, {}, outcome.result.members)
  return endpoint.legacyFailures === 'error'
    ? errorReply(id, outcome.error)
    : resultReply(id, failureResult(outcome.error))
}

/** Without a header the revision is unknown. Clients ignore unknown members. */
function formOf({ structuredOutput }: Endpoint, { headers }: McpRequest): ResultForm {
  const version = headers.get('mcp-protocol-version')
  return { structured: structuredOutput && (version === null || version >= FIRST_STRUCTURED_VERSION) }
}

async function clientOf({ hooks }: Endpoint, http: McpRequest) {
  return (await hooks.knownClient(http)) ?? clientOfUserAgent(http.headers.get('user-agent'))
}

/** The first product of a User-Agent, `name/version`. A legacy call has no other information about its client. */
function clientOfUserAgent(userAgent: string | null) {
  const match = /^([^\s/]{1,80})(?:\/(\S{1,40}))?/.exec(userAgent ?? '')
  return match?.[1] === undefined ? null : { name: match[1], version: match[2] ?? null }
}
