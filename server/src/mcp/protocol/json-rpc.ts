export type RequestId = string | number

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
