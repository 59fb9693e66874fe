import type { Context } from 'hono'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isNestedDeeper } from '#lib/json-depth.ts'
import { DocentError, toDocentError } from '#errors.ts'
import { jsonBytes } from '#lib/json-bytes.ts'
import type { Log } from '#log.ts'
import { BODY_LIMIT } from '#mcp/dispatch.ts'
import { gate } from '#mcp/gate.ts'
import type { McpHandler } from '#mcp/handle-mcp.ts'
import { corsHeaders, isAllowedOrigin, type OriginPolicy } from '#mcp/origins.ts'
import type { McpRequest, McpResponse } from '#mcp/request.ts'
import type { ServedServer } from '#store/served.ts'
import type { Bindings } from './bindings.ts'
import { clientAddress } from './client-address.ts'
import { errorAnswer } from './error-answer.ts'
import { type Bodies, IncomingBody } from './incoming-body.ts'
import { withoutNul } from './without-nul.ts'

/** What the MCP endpoints need from the service. */
export type McpDoor = {
  handle: McpHandler
  origins: OriginPolicy
  findServer: (idOrSlug: string) => Promise<ServedServer | undefined>
  trustedProxies: number
}

type Exchange = { incoming: IncomingMessage; outgoing: ServerResponse }
type Deps = { mcp: McpDoor; log: Log; bodies: Bodies }

/** Levels of arrays and objects in a message: arguments of tools have a handful, and a remote tool's some more. */
const DEPTH_LIMIT = 100

/** Answers what must be answered before anything is looked up: refused origins, preflights, probes for streams. */
export function gateMcp({ origins }: McpDoor, c: Context<Bindings>): Response | undefined {
  const answer = gate(origins, { method: c.req.method, headers: c.req.raw.headers })
  return answer ? new Response(answer.body, answer) : undefined
}

/**
 * Answers one MCP request to a hosted server. Works on Node's own request and answer: what the web's cost on top of
 * them, for a body that is read whole and an answer that is there whole, is more than the work of many a call.
 */
export async function serveMcp(deps: Deps, idOrSlug: string, exchange: Exchange): Promise<void> {
  const { incoming, outgoing } = exchange
  let answer: McpResponse
  try {
    answer = await answerMcp(deps, idOrSlug, exchange)
  } catch (cause) {
    // Whoever went away in the middle of the request is not told anything.
    if (incoming.destroyed && !incoming.complete) return
    const error = toDocentError(cause)
    if (error.code === 'internal') deps.log.error({ err: error.cause }, 'a request failed')
    const { headers, ...refusal } = errorAnswer(error)
    answer = { ...refusal, headers: { ...headers, ...corsFor(deps.mcp, incoming) } }
  }
  const { status, headers, body } = answer
  if (body === null) {
    outgoing.writeHead(status, headers)
    outgoing.end()
    return
  }
  const bytes = typeof body === 'string' ? jsonBytes(body) : body
  outgoing.writeHead(status, { ...headers, 'content-length': bytes.byteLength })
  outgoing.end(bytes)
}

async function answerMcp({ mcp: door, bodies }: Deps, idOrSlug: string, exchange: Exchange): Promise<McpResponse> {
  const { incoming, outgoing } = exchange
  const headers = headersOf(incoming)
  const early = gate(door.origins, { method: 'POST', headers })
  if (early) return early
  const address = clientAddress(incoming, door.trustedProxies)
  // Disposed of by hand: the engine does not compile functions with `using` to machine code.
  const incomingBody = new IncomingBody(exchange, bodies, address)
  const server = await door.findServer(withoutNul(idOrSlug))
  if (!server) {
    incomingBody[Symbol.dispose]()
    throw new DocentError('server_not_found')
  }
  const text = await incomingBody.text(BODY_LIMIT)
  // In its turn, after the caller has been checked, it is refused like every text that is no message.
  const body = text === null || isNestedDeeper(text, DEPTH_LIMIT) ? '' : text
  let signal: AbortSignal | undefined
  const request: McpRequest = {
    method: 'POST',
    headers,
    body,
    address,
    // Asked for by calls of tools alone.
    get signal() {
      return (signal ??= abortWhenLeft(outgoing))
    },
  }
  return door.handle(request, server)
}

/** What lets a page read why its call was refused; nothing for one that may not call. */
function corsFor({ origins }: McpDoor, incoming: IncomingMessage): Record<string, string> {
  const origin = headersOf(incoming).get('origin')
  return isAllowedOrigin(origins, origin) ? corsHeaders(origins, origin) : {}
}

/** Aborts when the connection closes before the answer has gone out. */
function abortWhenLeft(outgoing: ServerResponse): AbortSignal {
  const controller = new AbortController()
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) controller.abort()
  })
  return controller.signal
}

/** Names in lower case only, which is how they are asked for here. */
function headersOf({ headers }: IncomingMessage): McpRequest['headers'] {
  return {
    get(name) {
      const value = headers[name]
      return typeof value === 'string' ? value : null
    },
  }
}
