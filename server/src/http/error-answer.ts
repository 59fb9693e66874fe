import type { DocentError } from '#errors.ts'
import type { McpResponse } from '#mcp/request.ts'

const CLOSE = { connection: 'close' }
const CHALLENGE = { 'www-authenticate': 'Bearer realm="Docent"' }

/** A refusal as it goes out: JSON with the error's own status and headers, and those that its status asks for. */
export function errorAnswer(error: DocentError): McpResponse & { body: string } {
  const headers = {
    'content-type': 'application/json',
    ...error.headers,
    ...(error.status === 401 ? CHALLENGE : {}),
    ...(error.status === 413 ? CLOSE : {}),
  }
  return { status: error.status, headers, body: JSON.stringify(error.body) }
}
