import type { DocentError } from '#errors.ts'
import type { McpResponse } from '#mcp/protocol/request.ts'

const CLOSE = { connection: 'close' }
const CHALLENGE = { 'www-authenticate': 'Bearer realm="Docent"' }

/** Builds the error response: JSON with the error's status and headers, and the headers that its status requires. */
export function errorAnswer(error: DocentError): McpResponse & { body: string } {
  const headers = {
    'content-type': 'application/json',
    ...error.headers,
    ...(error.status === 401 ? CHALLENGE : {}),
    ...(error.status === 413 ? CLOSE : {}),
  }
  return { status: error.status, headers, body: JSON.stringify(error.body) }
}
