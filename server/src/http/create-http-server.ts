import { getRequestListener } from '@hono/node-server'
import type { ErrorCode } from '@docent/contract/errors'
import { STATUS_CODES, type Server, createServer } from 'node:http'
import type { Socket } from 'node:net'
import { DocentError } from '#errors.ts'
import type { Shortcut } from './mcp-shortcut.ts'

type Fetch = Parameters<typeof getRequestListener>[0]

/**
 * An idle connection is kept longer than proxies keep theirs, a minute mostly: who closes first must not be us, or a
 * request that is sent at that moment is lost.
 */
const KEEP_ALIVE_MS = 75_000

/**
 * Node's HTTP server before the app, which answers in JSON also what is no request that an app could see. What the
 * shortcut answers does not come to the app.
 */
export function createHttpServer(fetch: Fetch, shortcut: Shortcut): Server {
  // What the listener cannot make a request of: no host or an impossible one, or a path that is none.
  const errorHandler = () => {
    const { body, status } = new DocentError('malformed_request')
    return Response.json(body, { status, headers: { connection: 'close' } })
  }
  const listener = getRequestListener(fetch, { errorHandler })
  // A header that is sent twice is read as both, as it is by the app: the first alone could be a credential.
  const options = { requireHostHeader: false, joinDuplicateHeaders: true, keepAliveTimeout: KEEP_ALIVE_MS }
  const server = createServer(options, (request, response) => {
    if (!shortcut(request, response)) void listener(request, response)
  })
  server.on('clientError', answerClientError)
  return server
}

const CODES: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const { body, status } = new DocentError(CODES[error.code ?? ''] ?? 'malformed_request')
  const text = JSON.stringify(body)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`)
}
