import { isObject } from './is-object.ts'
import type { RequestId } from './json-rpc.ts'

export type RpcRequest = { kind: 'request'; id: RequestId; method: string; params: Record<string, unknown> }

/** A received JSON-RPC message. Notifications and responses to us need no reply. */
export type Message =
  | RpcRequest
  | { kind: 'notification' }
  | { kind: 'response' }
  | { kind: 'invalid'; id: RequestId | null; reason: string }

export function readMessage(value: unknown): Message {
  if (!isObject(value)) return invalid(null, 'The message must be a JSON object.')
  const validId = readId(value['id'])
  if (value['jsonrpc'] !== '2.0') return invalid(validId, 'The member "jsonrpc" must be "2.0".')
  const { method, params } = value
  if (method === undefined && ('result' in value || 'error' in value)) return { kind: 'response' }
  if (typeof method !== 'string') return invalid(validId, 'The member "method" must be a string.')
  if (!('id' in value)) return { kind: 'notification' }
  if (validId === null) return invalid(null, ID_RULE)
  // Some clients send absent parameters as null.
  if (params === undefined || params === null) return { kind: 'request', id: validId, method, params: {} }
  if (!isObject(params)) return invalid(validId, 'The member "params" must be an object.')
  return { kind: 'request', id: validId, method, params }
}

const ID_RULE = 'The member "id" must be a string or an integer between -(2^53 - 1) and 2^53 - 1.'

/** Parsing changes numbers outside these bounds, so the response would not match its request. */
function readId(id: unknown): RequestId | null {
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as RequestId) : null
}

function invalid(id: RequestId | null, reason: string): Message {
  return { kind: 'invalid', id, reason }
}
