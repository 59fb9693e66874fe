import type { Context } from 'hono'
import { DocentError } from '#errors.ts'
import { jsonBytes } from '#lib/json-bytes.ts'
import { BODY_LIMIT } from '#mcp/dispatch.ts'
import { gate } from '#mcp/gate.ts'
import { type McpDeps, handleMcp } from '#mcp/handle-mcp.ts'
import type { McpResponse } from '#mcp/request.ts'
import type { ServedServer } from '#store/served.ts'
import type { Bindings } from './bindings.ts'
import { clientAddress } from './client-address.ts'
import { readBody } from './read-body.ts'
import { withoutNul } from './without-nul.ts'

/** What the MCP endpoints need from the service. */
export type McpDoor = McpDeps & {
  findServer: (idOrSlug: string) => Promise<ServedServer | undefined>
  trustedProxies: number
}

/** Answers what must be answered before anything is looked up: refused origins, preflights, probes for streams. */
export function gateMcp({ origins }: McpDoor, c: Context<Bindings>): Response | undefined {
  const answer = gate(origins, { method: c.req.method, headers: c.req.raw.headers })
  return answer ? toResponse(answer) : undefined
}

/** Answers one MCP request to a hosted server. */
export async function answerMcp(door: McpDoor, c: Context<Bindings>): Promise<Response> {
  const body = await readBody(c, BODY_LIMIT)
  const server = await door.findServer(withoutNul(c.req.param('id') ?? ''))
  if (!server) throw new DocentError('server_not_found')
  const { headers, method } = c.req.raw
  const address = clientAddress(c, door.trustedProxies)
  return toResponse(await handleMcp(door, { method, headers, body, address }, server))
}

function toResponse({ status, headers, body }: McpResponse): Response {
  return new Response(body === null ? null : jsonBytes(body), { status, headers })
}
