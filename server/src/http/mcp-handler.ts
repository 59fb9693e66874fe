import type { Context } from 'hono'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { isNestedDeeper, jsonBytes } from '#lib/text/bounded-json.ts'
import { DocentError, toDocentError } from '#errors.ts'
import type { Log } from '#log.ts'
import { BODY_LIMIT, dispatch } from '#mcp/dispatch/dispatch.ts'
import { type Endpoint, preflight } from '#mcp/dispatch/endpoint.ts'
import type { EndpointOf } from '#mcp/hosted/hosted-endpoints.ts'
import {
  corsHeaders,
  isAllowedOrigin,
  type OriginPolicy,
  type McpRequest,
  type McpResponse,
} from '#mcp/protocol/request.ts'
import type { ServedServer } from '#store/servers/served.ts'
import type { AccountEndpointOf } from './account/account-endpoint.ts'
import { type Bindings, clientAddress, withoutNul } from './read-request.ts'
import { errorAnswer } from './send-answer.ts'
import { type Bodies, IncomingBody } from './incoming-body.ts'

/** The endpoints of hosted servers. */
export type McpEndpoints = {
  endpointOf: EndpointOf
  origins: OriginPolicy
  findServer: (idOrSlug: string) => Promise<ServedServer | undefined>
  trustedProxies: number
}

type Exchange = { incoming: IncomingMessage; outgoing: ServerResponse }
type Deps = { mcp: McpEndpoints; log: Log; bodies: Bodies }

/** Finds the endpoint of a request. Throws a `DocentError` if there is none. */
type FindEndpoint = () => Promise<Endpoint>

/** Maximum JSON depth of a message. Tool arguments have a handful of levels, those of remote tools slightly more. */
const DEPTH_LIMIT = 100

/**
 * Answers requests other than POST that need no look-up: preflights, and probes for streams. `handleMcp` checks a POST.
 */
export function preflightMcp({ origins }: McpEndpoints, c: Context<Bindings>): Response | undefined {
  const { method, raw } = c.req
  const answer = method === 'POST' ? null : preflight(origins, { method, headers: raw.headers })
  return answer ? new Response(answer.body, answer) : undefined
}

/**
 * Answers one MCP request to a hosted server. Uses Node's request and response directly: for small complete bodies, web
 * streams would cost more than many calls.
 */
export async function handleMcp(deps: Deps, idOrSlug: string, exchange: Exchange): Promise<void> {
  const { mcp } = deps
  return handle(deps, exchange, async () => {
    const server = await mcp.findServer(withoutNul(idOrSlug))
    if (!server) throw new DocentError('server_not_found')
    return mcp.endpointOf(server)
  })
}

/** Answers one MCP request to the endpoint of the account behind its API key. */
export async function handleAccountMcp(
  deps: Deps & { accountMcp: AccountEndpointOf },
  exchange: Exchange,
): Promise<void> {
  return handle(deps, exchange, async () => deps.accountMcp())
}

async function handle(deps: Deps, exchange: Exchange, find: FindEndpoint): Promise<void> {
  const { incoming, outgoing } = exchange
  let answer: McpResponse
  try {
    answer = await answerMcp(deps, exchange, find)
  } catch (cause) {
    // The client disconnected mid-request, so send no response.
    if (incoming.destroyed && !incoming.complete) return
    const error = toDocentError(cause)
    if (error.code === 'internal') deps.log.error({ err: error.cause }, 'a request failed')
    const { headers, ...refusal } = errorAnswer(error)
    answer = { ...refusal, headers: { ...headers, ...corsFor(deps.mcp, incoming) } }
  }
  const { status, headers, body, stream } = answer
  if (stream) return sendStream(outgoing, answer, stream)
  if (body === null) {
    outgoing.writeHead(status, headers)
    outgoing.end()
    return
  }
  const bytes = typeof body === 'string' ? jsonBytes(body) : body
  outgoing.writeHead(status, { ...headers, 'content-length': bytes.byteLength })
  outgoing.end(bytes)
}

/** Sends the parts with backpressure, until the client disconnects. */
async function sendStream(
  outgoing: ServerResponse,
  { status, headers }: McpResponse,
  stream: AsyncIterable<string>,
): Promise<void> {
  outgoing.writeHead(status, headers)
  // Fails only if the client disconnects, because errors of the call are part of the stream.
  await pipeline(stream, outgoing).catch(() => undefined)
}

async function answerMcp({ mcp, bodies }: Deps, exchange: Exchange, find: FindEndpoint): Promise<McpResponse> {
  const { incoming, outgoing } = exchange
  const headers = headersOf(incoming)
  const refused = preflight(mcp.origins, { method: 'POST', headers })
  if (refused) return refused
  const address = clientAddress(incoming, mcp.trustedProxies)
  // Disposed of manually, because V8 does not optimize functions with `using`.
  const incomingBody = new IncomingBody(exchange, bodies, address)
  let endpoint: Endpoint
  try {
    endpoint = await find()
  } catch (error) {
    incomingBody[Symbol.dispose]()
    throw error
  }
  const text = await incomingBody.text(BODY_LIMIT)
  // The caller is checked first. A too deeply nested text is then refused like any other malformed message.
  const body = text === null || isNestedDeeper(text, DEPTH_LIMIT) ? '' : text
  let signal: AbortSignal | undefined
  const request: McpRequest = {
    headers,
    body,
    address,
    // Lazy, because only tool calls use it.
    get signal() {
      return (signal ??= abortWhenLeft(outgoing))
    },
  }
  return dispatch(endpoint, request)
}

/** CORS headers that let a page read a refusal. Empty for forbidden origins. */
function corsFor({ origins }: McpEndpoints, incoming: IncomingMessage): Record<string, string> {
  const origin = headersOf(incoming).get('origin')
  return isAllowedOrigin(origins, origin) ? corsHeaders(origins, origin) : {}
}

/** Aborts if the connection closes before the response is sent. */
function abortWhenLeft(outgoing: ServerResponse): AbortSignal {
  const controller = new AbortController()
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) controller.abort()
  })
  return controller.signal
}

/** Lower-case names only, as used by our code. */
function headersOf({ headers }: IncomingMessage): McpRequest['headers'] {
  return {
    get(name) {
      const value = headers[name]
      return typeof value === 'string' ? value : null
    },
  }
}
