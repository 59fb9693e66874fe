import { answerResources, callTool, failureResult, refuseUnknownTool } from './call-tool.ts'
import { type AnswerRequest, type CallRecord, type Endpoint, type EndpointTool, refuseCursor } from './endpoint.ts'
import { readClientInfo } from './known-clients.ts'
import type { ResultForm } from '../definition/tool-result.ts'
import type { ReportProgress } from '../definition/tool.ts'
import {
  FIRST_STRUCTURED_VERSION,
  LATEST_LEGACY_VERSION,
  LEGACY_VERSIONS,
  META,
  MODERN_VERSIONS,
  RPC,
  type Reply,
  type RequestId,
  type RpcError,
  type RpcRequest,
  errorReply,
  resultReply,
  type McpRequest,
} from '../protocol/message.ts'
import { isObject } from '#lib/objects.ts'

/** What the answers of a group of protocol revisions have of their own. */
type Era = {
  form: ResultForm
  /** The client, for the request log. */
  client: () => CallRecord['client'] | Promise<CallRecord['client']>
  /** Refuses a call that the client of the tool cannot make. */
  refuseCall?: (tool: EndpointTool) => Reply | null
  result: (result: Record<string, unknown>, members?: Uint8Array) => Reply
  /** Members of results that clients may cache. */
  cacheHints: Record<string, unknown>
  failure: (error: RpcError) => Reply
  unknownStatus: number
}

type Asked = { era: Era; http: McpRequest; report: ReportProgress | undefined }

/** Answers the methods that all revisions have. */
async function answer(endpoint: Endpoint, message: RpcRequest, { era, http, report }: Asked): Promise<Reply> {
  const { id, method, params } = message
  const { signal } = http
  if (method === 'tools/list') {
    const refused = refuseCursor(method, params)
    endpoint.hooks.noteConnection()
    return refused ? errorReply(id, refused) : era.result(era.cacheHints, endpoint.listTools(era.form))
  }
  if (method === 'tools/call') {
    const tool = endpoint.tools.find(({ listed }) => listed.name === params['name'])
    const client = await era.client()
    if (!tool) return errorReply(id, refuseUnknownTool(endpoint, params, client))
    const refused = era.refuseCall?.(tool)
    if (refused) return refused
    const call = { arguments: params['arguments'], client, from: http, form: era.form, signal, report }
    const work = () => callTool(endpoint, tool, call)
    const outcome = await (endpoint.hooks.trace?.(tool.listed.name, params['_meta'], work) ?? work())
    return outcome.ok ? era.result({}, outcome.result.members) : era.failure(outcome.error)
  }
  const read = await answerResources(endpoint, message, { client: era.client, signal })
  if (read) return 'error' in read ? errorReply(id, read.error) : era.result(era.cacheHints, read.members)
  const error = { code: RPC.methodNotFound, message: `The method "${method.slice(0, 100)}" is not served.` }
  return errorReply(id, error, era.unknownStatus)
}

/** Capabilities of an endpoint. Lists change with the sources, without a notification. */
function capabilitiesOf({ resources }: Endpoint): Record<string, object> {
  return { tools: {}, ...(resources === undefined ? {} : { resources: {} }) }
}

/**
 * Answers a request of the handshake revisions (2024-11-05 to 2025-11-25). Keeps no session: calls are served without a
 * preceding `initialize`, whose `clientInfo` is stored for the log only.
 */
export const answerLegacy: AnswerRequest = async (endpoint, message, http, report) => {
  const { id, method, params } = message
  const { hooks, info, instructions, structuredOutput, legacyFailures } = endpoint
  if (method === 'ping') return resultReply(id, {})
  if (method === 'initialize') {
    const client = readClientInfo(params['clientInfo'])
    if (client) await hooks.rememberClient(http, client)
    hooks.noteConnection()
    const asked = params['protocolVersion']
    const isKnown = typeof asked === 'string' && LEGACY_VERSIONS.includes(asked)
    const protocolVersion = isKnown ? asked : LATEST_LEGACY_VERSION
    return resultReply(id, { protocolVersion, capabilities: capabilitiesOf(endpoint), serverInfo: info, instructions })
  }
  // Without a header the revision is unknown. Clients ignore unknown members.
  const version = http.headers.get('mcp-protocol-version')
  const era: Era = {
    form: { structured: structuredOutput && (version === null || version >= FIRST_STRUCTURED_VERSION) },
    client: async () => (await hooks.knownClient(http)) ?? clientOfUserAgent(http.headers.get('user-agent')),
    result: (result, members) => resultReply(id, result, members),
    cacheHints: {},
    failure: (error) => (legacyFailures === 'error' ? errorReply(id, error) : resultReply(id, failureResult(error))),
    unknownStatus: 200,
  }
  return answer(endpoint, message, { era, http, report })
}

/** Refuses an unknown revision in an `MCP-Protocol-Version` header. Null if the header is absent or known. */
export function refuseLegacyVersion(version: string | null, id: RequestId | null): Reply | null {
  if (version === null || LEGACY_VERSIONS.includes(version)) return null
  const message = `The protocol version "${version.slice(0, 40)}" is not supported. Supported: ${LEGACY_VERSIONS.join(', ')}.`
  return errorReply(id, { code: RPC.invalidRequest, message }, 400)
}

/** The first product of a User-Agent, `name/version`. A legacy call has no other information about its client. */
function clientOfUserAgent(userAgent: string | null) {
  const match = /^([^\s/]{1,80})(?:\/(\S{1,40}))?/.exec(userAgent ?? '')
  return match?.[1] === undefined ? null : { name: match[1], version: match[2] ?? null }
}

/** Cache lifetime of a list on clients. Short, because owners who change the tools want to see the result. */
const LIST_TTL_MS = 60_000

/** Answers a request of the stateless revisions (2026-07-28). */
export const answerModern: AnswerRequest = async (endpoint, message, http, report) => {
  const { id, method } = message
  const { info, instructions, visibility, structuredOutput } = endpoint
  const checked = checkModern(message, http.headers)
  if ('error' in checked) return errorReply(id, checked.error, checked.status)
  const { meta, capabilities } = checked
  const result: Era['result'] = (members, more) =>
    resultReply(id, { resultType: 'complete', ...members, _meta: { [META.serverInfo]: info } }, more)
  const cacheHints = { ttlMs: LIST_TTL_MS, cacheScope: visibility }
  if (method === 'server/discover') {
    endpoint.hooks.noteConnection()
    const served = { supportedVersions: MODERN_VERSIONS, capabilities: capabilitiesOf(endpoint), instructions }
    return result({ ...served, ...cacheHints })
  }
  const era: Era = {
    form: { structured: structuredOutput },
    client: () => readClientInfo(meta[META.clientInfo]),
    refuseCall: (tool) => refuseMissing(id, tool, capabilities),
    result,
    cacheHints,
    failure: (error) => result(failureResult(error)),
    unknownStatus: 404,
  }
  return answer(endpoint, message, { era, http, report })
}

function refuseMissing(id: RequestId, tool: EndpointTool, capabilities: Record<string, unknown>): Reply | null {
  const missing = Object.entries(tool.requires ?? {}).filter(([name]) => !isObject(capabilities[name]))
  if (missing.length === 0) return null
  const message = `${tool.listed.name} needs a client with the capability ${missing.map(([name]) => name).join(', ')}.`
  const data = { requiredCapabilities: Object.fromEntries(missing) }
  return errorReply(id, { code: RPC.missingCapability, message, data }, 400)
}

/** By method: the parameter that the header `Mcp-Name` repeats. */
const MIRRORED: Readonly<Record<string, string>> = { 'tools/call': 'name', 'resources/read': 'uri' }

type Refused = { status: number; error: RpcError }

/**
 * Validates the required parts of a stateless request, in the protocol's order: the version in `_meta`, the same
 * version in the header, a supported version, the client's capabilities, and the headers that mirror method and name.
 */
function checkModern({ method, params }: RpcRequest, headers: McpRequest['headers']) {
  const header = (name: string) => headers.get(name)?.trim() ?? null
  const meta = isObject(params['_meta']) ? params['_meta'] : {}
  const version = meta[META.protocolVersion]
  if (typeof version !== 'string')
    return refuse(RPC.invalidParams, `params._meta must carry "${META.protocolVersion}".`)

  const versionHeader = header('mcp-protocol-version')
  if (versionHeader !== version) return mismatch('MCP-Protocol-Version', versionHeader, version)
  const unsupported = refuseModernVersion(version)
  if (unsupported) return unsupported
  const capabilities = meta[META.clientCapabilities]
  if (!isObject(capabilities)) return refuse(RPC.invalidParams, `params._meta must carry "${META.clientCapabilities}".`)

  const methodHeader = header('mcp-method')
  if (methodHeader !== method) return mismatch('Mcp-Method', methodHeader, method)
  const mirrored = MIRRORED[method]
  if (mirrored !== undefined) {
    const nameHeader = header('mcp-name')
    const name = params[mirrored]
    if (nameHeader === null || decodeHeader(nameHeader) !== name) return mismatch('Mcp-Name', nameHeader, name)
  }
  return { meta, capabilities }
}

/** Refuses an unsupported stateless version. Null for a supported one. */
export function refuseModernVersion(version: string): Refused | null {
  if (MODERN_VERSIONS.includes(version)) return null
  const data = { supported: MODERN_VERSIONS, requested: version }
  return refuse(RPC.unsupportedVersion, `The protocol version "${version.slice(0, 40)}" is not supported.`, data)
}

/** Decodes a header value, also in the form `=?base64?…?=`. Null if that is not Base64 of UTF-8. */
function decodeHeader(value: string): string | null {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value)?.[1]
  if (encoded === undefined) return value
  const bytes = Buffer.from(encoded, 'base64')
  if (bytes.toString('base64') !== encoded) return null
  const text = bytes.toString('utf8')
  return Buffer.from(text, 'utf8').equals(bytes) ? text : null
}

function mismatch(header: string, got: string | null, wanted: unknown): Refused {
  const said = got === null ? 'is missing' : `is "${got.slice(0, 100)}"`
  const body = typeof wanted === 'string' ? `"${wanted.slice(0, 100)}"` : 'nothing'
  return refuse(RPC.headerMismatch, `The header ${header} ${said}, but the body says ${body}.`)
}

function refuse(code: number, message: string, data?: Record<string, unknown>): Refused {
  return { status: 400, error: data ? { code, message, data } : { code, message } }
}
