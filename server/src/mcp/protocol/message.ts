import { isObject } from '#lib/objects.ts'

export type RequestId = string | number

export type RpcRequest = { kind: 'request'; id: RequestId; method: string; params: Record<string, unknown> }

/** A received JSON-RPC message. `other`: a notification or a response to us, which need no reply. */
export type Message = RpcRequest | { kind: 'other' } | { kind: 'invalid'; id: RequestId | null; reason: string }

export function readMessage(value: unknown): Message {
  if (!isObject(value)) return invalid(null, 'The message must be a JSON object.')
  const validId = readId(value['id'])
  if (value['jsonrpc'] !== '2.0') return invalid(validId, 'The member "jsonrpc" must be "2.0".')
  const { method, params } = value
  if (method === undefined && ('result' in value || 'error' in value)) return { kind: 'other' }
  if (typeof method !== 'string') return invalid(validId, 'The member "method" must be a string.')
  if (!('id' in value)) return { kind: 'other' }
  if (validId === null) return invalid(null, ID_RULE)
  // Some clients send absent parameters as null.
  if (!isObject(params ?? {})) return invalid(validId, 'The member "params" must be an object.')
  return { kind: 'request', id: validId, method, params: (params ?? {}) as Record<string, unknown> }
}

const ID_RULE = 'The member "id" must be a string or an integer between -(2^53 - 1) and 2^53 - 1.'

/** Parsing changes numbers outside these bounds, so the response would not match its request. */
function readId(id: unknown): RequestId | null {
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as RequestId) : null
}

function invalid(id: RequestId | null, reason: string): Message {
  return { kind: 'invalid', id, reason }
}

/** Error codes of this service. Codes below -32600 are the protocol's; our own would lie outside -32768…-32000. */
export const RPC = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  unauthorized: -32001,
  monthlyLimit: -32003,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const

export type RpcError = { code: number; message: string; data?: Record<string, unknown> }

export type RpcAnswer =
  | {
      jsonrpc: '2.0'
      id: RequestId
      result: Record<string, unknown>
      /** Additional members of the result: JSON as UTF-8, without the outer braces. */
      members?: Uint8Array
    }
  | { jsonrpc: '2.0'; id: RequestId | null; error: RpcError }

/** A JSON-RPC response with its HTTP status outside a batch. */
export type Reply = { status: number; answer: RpcAnswer }

export function resultReply(id: RequestId, result: Record<string, unknown>, members?: Uint8Array): Reply {
  return { status: 200, answer: { jsonrpc: '2.0', id, result, ...(members ? { members } : {}) } }
}

export function errorReply(id: RequestId | null, error: RpcError, status = 200): Reply {
  return { status, answer: { jsonrpc: '2.0', id, error } }
}

/** Handshake revisions of the protocol, oldest first. */
export const LEGACY_VERSIONS: readonly string[] = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']

export const BATCH_VERSION = '2025-03-26'

/** The answer of `initialize` to an unknown revision. */
export const LATEST_LEGACY_VERSION = '2025-11-25'

/** Stateless revisions: every request carries its version and capabilities in `_meta`. */
export const MODERN_VERSIONS: readonly string[] = ['2026-07-28']

/** Protocol keys in `_meta`. */
export const META = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
} as const

/** The first stateless revision. A header with this date or a later one selects the modern era. */
const FIRST_MODERN_VERSION = '2026-07-28'

/** The first revision with `outputSchema` on tools and `structuredContent` in results. */
export const FIRST_STRUCTURED_VERSION = '2025-06-18'

/** Dates compare as text. Other values are no revision and follow the legacy rules. */
export function isModernVersion(version: string | null): boolean {
  return version !== null && /^\d{4}-\d{2}-\d{2}$/.test(version) && version >= FIRST_MODERN_VERSION
}

/** A POST request that has passed `preflight`, as the dispatcher reads it. Independent of web frameworks. */
export type McpRequest = {
  /** Case-insensitive; null if absent. The web's `Headers` fits. */
  headers: { get(name: string): string | null }
  /** Empty if it was not UTF-8. */
  body: string
  /** The client's network address, as resolved through trusted proxies. */
  address: string
  /** The id or slug in the address that was called. Null or absent for an endpoint without one. */
  calledAs?: string | null
  /** Aborts when the client disconnects. */
  signal?: AbortSignal
}

export type McpResponse = {
  status: number
  headers: Record<string, string>
  /** JSON as text or UTF-8. Null for a response without a body, or with a stream. */
  body: string | Uint8Array | null
  /** Server-sent events, for a call that reports progress. */
  stream?: AsyncIterable<string>
}

export type Caller = {
  address: string
  /** Set only after verification, so that invented tokens do not get separate allowances. */
  accessToken: string | null
}

/** The credential after `Bearer` in the Authorization header, or null. */
export function bearerOf(headers: McpRequest['headers']): string | null {
  const match = /^bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')
  return match?.[1] ?? null
}

/** Origins whose pages may call the endpoints. These accept no cookies, so this protects loopback instances. */
export type OriginPolicy = {
  /** Origin of this instance, such as `https://docs.example.org`. */
  own: string
  /** Additional origins, or `any` on a public instance. */
  allowed: readonly string[] | 'any'
}

/** True without an `Origin` header: only browsers send it, and only they can be abused for calls on another's behalf. */
export function isAllowedOrigin({ own, allowed }: OriginPolicy, origin: string | null): boolean {
  if (origin === null || allowed === 'any') return true
  return origin === own || allowed.includes(origin) || isLoopback(origin)
}

function isLoopback(origin: string): boolean {
  if (!URL.canParse(origin)) return false
  const { hostname } = new URL(origin)
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
}

const CORS = {
  'access-control-allow-methods': 'POST, GET',
  'access-control-allow-headers':
    'Authorization, Content-Type, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID',
  'access-control-expose-headers': 'WWW-Authenticate',
  'access-control-max-age': '86400',
}

/** CORS headers that let an allowed origin read the response. Empty for other clients than browsers. */
export function corsHeaders({ allowed }: OriginPolicy, origin: string | null): Record<string, string> {
  if (origin === null) return {}
  if (allowed === 'any') return { 'access-control-allow-origin': '*', ...CORS }
  return { 'access-control-allow-origin': origin, vary: 'Origin', ...CORS }
}
