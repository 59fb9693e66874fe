import { isObject } from '#mcp/protocol/is-object.ts'
import { RPC, type RpcError } from '#mcp/protocol/json-rpc.ts'
import type { RpcRequest } from '#mcp/protocol/message.ts'
import type { McpRequest } from '#mcp/protocol/request.ts'
import { MODERN_VERSIONS } from '#mcp/protocol/versions.ts'

/** Protocol keys in `_meta`. */
export const META = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
} as const

/** By method: the parameter that the header `Mcp-Name` repeats. */
const MIRRORED: Readonly<Record<string, string>> = { 'tools/call': 'name', 'resources/read': 'uri' }

type Refused = { status: number; error: RpcError }
type Checked = { meta: Record<string, unknown>; capabilities: Record<string, unknown> }

/**
 * Validates the required parts of a stateless request, in the protocol's order: the version in `_meta`, the same
 * version in the header, a supported version, the client's capabilities, and the headers that mirror method and name.
 */
export function checkModern({ method, params }: RpcRequest, headers: McpRequest['headers']): Checked | Refused {
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
