import { answerResources, callTool, failureResult, refuseUnknownTool } from './call-tool.ts'
import { type AnswerRequest, type Endpoint, capabilitiesOf, refuseCursor } from './endpoint.ts'
import type { ReportProgress } from '../definition/tool.ts'
import {
  isObject,
  errorReply,
  resultReply,
  RPC,
  type Reply,
  type RpcRequest,
  MODERN_VERSIONS,
  type RpcError,
} from '../protocol/message.ts'
import { readClientInfo } from './known-clients.ts'
import type { ResultForm } from '../definition/tool-result.ts'
import type { McpRequest } from '../protocol/request.ts'

/** Cache lifetime of a list on clients. Short, because owners who change the tools want to see the result. */
const LIST_TTL_MS = 60_000

/** Protocol keys in `_meta`. */
export const META = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
} as const

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

/** By method: the parameter that the header `Mcp-Name` repeats. */
const MIRRORED: Readonly<Record<string, string>> = { 'tools/call': 'name', 'resources/read': 'uri' }

type Refused = { status: number; error: RpcError }
type Checked = { meta: Record<string, unknown>; capabilities: Record<string, unknown> }

/**
 * Validates the required parts of a stateless request, in the protocol's order: the version in `_meta`, the same
 * version in the header, a supported version, the client's capabilities, and the headers that mirror method and name.
 */
function checkModern({ method, params }: RpcRequest, headers: McpRequest['headers']): Checked | Refused {
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

/**
 * Decodes a header value in the form `=?base64?…?=`, for characters that headers cannot carry. Null if the content is
 * not Base64 of UTF-8.
 */
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
