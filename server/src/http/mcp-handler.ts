import type { Context } from 'hono'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { isNestedDeeper, jsonBytes } from '#lib/text/bounded-json.ts'
import { DocentError, toDocentError } from '#errors.ts'
import { answerOutage, dispatch } from '#mcp/dispatch/dispatch.ts'
import { type Endpoint, preflight } from '#mcp/dispatch/endpoint.ts'
import type { EndpointOf } from '#mcp/hosted/hosted-endpoints.ts'
import {
  corsHeaders,
  isAllowedOrigin,
  type OriginPolicy,
  type McpRequest,
  type McpResponse,
} from '#mcp/protocol/message.ts'
import type { ServedServer } from '#store/servers/served.ts'
import type { AppDeps } from './app.ts'
import { abortWhenLeft, type Bindings, clientAddress, DEPTH_LIMIT, withoutNul } from './read-request.ts'
import { errorAnswer, pack, protectiveHeaders } from './send-answer.ts'
import { type Exchange, IncomingBody } from './incoming-body.ts'

export type McpEndpoints = {
  endpointOf: EndpointOf
  origins: OriginPolicy
  findServer: (idOrSlug: string) => Promise<ServedServer | undefined>
  trustedProxies: number
}

type Deps = Pick<AppDeps, 'mcp' | 'accountMcp' | 'bodies' | 'log'> & {
  operations: Pick<AppDeps['operations'], 'baseUrl'>
}

/** Maximum bytes of a request body. Calls are short; larger bodies are misdirected. */
const BODY_LIMIT = 4 * 1024 * 1024

/** Answers preflights, and probes for streams, which need no look-up. `handleMcp` checks a POST. */
export function preflightMcp({ origins }: McpEndpoints, c: Context<Bindings>): Response | undefined {
  const { method, raw } = c.req
  const answer = method === 'POST' ? null : preflight(origins, { method, headers: raw.headers })
  return answer ? new Response(answer.body, answer) : undefined
}

/**
 * Answers one MCP request to a hosted server by id or slug, also with `/chatgpt` behind it, or (null) to the endpoint of the account behind its API key.
 * Uses Node's request and response directly: for small complete bodies, web streams would cost more than many calls.
 */
export async function handleMcp(deps: Deps, idOrSlug: string | null, exchange: Exchange): Promise<void> {
  const { incoming, outgoing } = exchange
  let answer: McpResponse
  try {
    answer = await answerMcp(deps, idOrSlug, exchange)
  } catch (cause) {
    // The client disconnected mid-request, so send no response.
    if (incoming.destroyed && !incoming.complete) return
    const error = toDocentError(cause)
    if (error.code === 'internal') deps.log.error({ err: error.cause }, 'a request failed')
    const { headers, ...refusal } = errorAnswer(error)
    answer = { ...refusal, headers: { ...headers, ...corsFor(deps.mcp, incoming) } }
  }
  const { status, body, stream } = answer
  const headers = { ...answer.headers, ...protectiveHeaders(deps.operations.baseUrl()) }
  if (stream) {
    outgoing.writeHead(status, headers)
    // Fails only if the client disconnects, because errors of the call are part of the stream.
    await pipeline(stream, outgoing).catch(() => undefined)
  } else if (body === null) outgoing.writeHead(status, headers).end()
  else {
    const bytes = typeof body === 'string' ? jsonBytes(body) : body
    const sent = await pack(bytes, { accepted: incoming.headers['accept-encoding'], headers })
    outgoing.writeHead(status, { ...sent.headers, 'content-length': sent.body.byteLength }).end(sent.body)
  }
}

async function answerMcp(deps: Deps, idOrSlug: string | null, exchange: Exchange): Promise<McpResponse> {
  const { mcp, bodies } = deps
  const { incoming, outgoing } = exchange
  const headers = headersOf(incoming)
  const refused = preflight(mcp.origins, { method: 'POST', headers })
  if (refused) return refused
  const address = clientAddress(incoming, mcp.trustedProxies)
  // Disposed of manually, because V8 does not optimize functions with `using`.
  const incomingBody = new IncomingBody(exchange, bodies, address)
  let found: Endpoint | DocentError
  try {
    found = idOrSlug === null ? deps.accountMcp() : await findHosted(mcp, idOrSlug)
  } catch (error) {
    found = toDocentError(error)
    if (found.status !== 503) {
      incomingBody[Symbol.dispose]()
      throw error
    }
  }
  const text = await incomingBody.text(BODY_LIMIT)
  // The caller is checked first. A too deeply nested text is then refused like any other malformed message.
  const body = text === null || isNestedDeeper(text, DEPTH_LIMIT) ? '' : text
  try {
    if (found instanceof DocentError) throw found
    return await dispatch(found, new HttpMcpRequest({ headers, body, address, calledAs: idOrSlug }, outgoing))
  } catch (error) {
    return answerOutage(error, body, corsFor(mcp, incoming))
  }
}

/**
 * A class: made as an object literal with a getter, each request stayed in memory, with all that it refers to, until the
 * next full collection.
 */
class HttpMcpRequest implements McpRequest {
  readonly headers: McpRequest['headers']
  readonly body: string
  readonly address: string
  readonly calledAs: string | null
  readonly #outgoing: ServerResponse
  #signal: AbortSignal | undefined

  constructor({ headers, body, address, calledAs = null }: McpRequest, outgoing: ServerResponse) {
    this.headers = headers
    this.body = body
    this.address = address
    this.calledAs = calledAs
    this.#outgoing = outgoing
  }

  /** Made on first use, because only some methods have one. */
  get signal(): AbortSignal {
    return (this.#signal ??= abortWhenLeft(this.#outgoing).signal)
  }
}

async function findHosted({ findServer, endpointOf }: McpEndpoints, name: string): Promise<Endpoint> {
  const [idOrSlug = '', profile] = name.split('/')
  const server = await findServer(withoutNul(idOrSlug))
  if (!server || (profile !== undefined && profile !== 'chatgpt')) throw new DocentError('server_not_found')
  return endpointOf(server, profile)
}

/** CORS headers that let a page read a refusal. Empty for forbidden origins. */
function corsFor({ origins }: McpEndpoints, incoming: IncomingMessage): Record<string, string> {
  const origin = headersOf(incoming).get('origin')
  return isAllowedOrigin(origins, origin) ? corsHeaders(origins, origin) : {}
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
