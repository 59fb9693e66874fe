import { createHash } from 'node:crypto'
import type { Context, Hono } from 'hono'
import { DocentError } from '#errors.ts'
import { admit, dispatch } from '#mcp/dispatch/dispatch.ts'
import type { Endpoint } from '#mcp/dispatch/endpoint.ts'
import { READ_RESOURCE } from '#mcp/dispatch/call-tool.ts'
import { RPC, corsHeaders, type McpRequest, type McpResponse } from '#mcp/protocol/message.ts'
import { WEB_DOCUMENTS, type WebDocument } from '#mcp/pages/web-documents.ts'
import type { ServedServer } from '#store/servers/served.ts'
import type { AppDeps } from './app.ts'
import { acceptsHtml } from './browser-files.ts'
import { abortWhenLeft, type Bindings, clientAddress, withoutNul } from './read-request.ts'
import { pack } from './send-answer.ts'
import { CARD_TYPE, registryEntry, serverCard } from './discovery.ts'
import { mcpBundle } from './mcp-bundle.ts'
import { skillIndex, skillOf } from './skills.ts'

type Deps = Pick<AppDeps, 'mcp' | 'operations'>
type Asked = { c: Context<Bindings>; server: ServedServer; endpoint: Endpoint; request: McpRequest }
type Text = string | Uint8Array<ArrayBuffer>
/** A text or an archive to send, or a refusal of the endpoint. */
type Made = { text: Text; type: string } | McpResponse

const HOSTED = '/api/mcp/:id'
const MARKDOWN = 'text/markdown'
const BUNDLE_TYPE = 'application/zip'

/**
 * Adds the pages of hosted servers for programs that do not speak MCP: Markdown, lists of pages, and a skill. They need
 * what the endpoint needs, and count towards its rate limits. A server has none while its owner has switched them off.
 */
export function addServerPages(app: Hono<Bindings>, deps: Deps): void {
  const add = (path: string, make: (asked: Asked) => Promise<Made>) =>
    app.get(HOSTED + path, async (c) => {
      const server = await deps.mcp.findServer(withoutNul(c.req.param('id') ?? ''))
      if (server?.webPages === undefined) throw new DocentError('not_found')
      const request = requestOf(deps, c)
      return answer({ c, server, endpoint: deps.mcp.endpointOf(server), request }, make)
    })
  const admitted = (make: (asked: Asked) => Text | Promise<Text>, type: string) => async (asked: Asked) =>
    (await admit(asked.endpoint, asked.request)) ?? { text: await make(asked), type }
  for (const name of WEB_DOCUMENTS) {
    const type = name === 'sitemap.xml' ? 'application/xml' : 'text/plain'
    add(
      `/${name}`,
      admitted(({ c, endpoint, request }) => documentOf(endpoint, name, { c, request }), type),
    )
  }
  const skill = ({ server }: Asked) => skillOf(deps.operations.baseUrl(), server)
  add('/skill.md', admitted(skill, MARKDOWN))
  add('/.well-known/skills/:name/SKILL.md', admitted(skill, MARKDOWN))
  for (const folder of ['skills', 'agent-skills'] as const)
    add(
      `/.well-known/${folder}/index.json`,
      admitted(({ server }) => skillIndex(deps.operations.baseUrl(), [server], folder), 'application/json'),
    )
  const baseUrl = () => deps.operations.baseUrl()
  add(
    '/server-card',
    admitted(({ server }) => serverCard(baseUrl(), server), CARD_TYPE),
  )
  add(
    '/server.json',
    admitted(({ server }) => registryEntry(baseUrl(), server), 'application/json'),
  )
  add(
    '/server.mcpb',
    admitted(({ server }) => mcpBundle(baseUrl(), server), BUNDLE_TYPE),
  )
  add('/pages/*', (asked) => readPage(deps, asked))
}

function requestOf({ mcp }: Deps, c: Context<Bindings>): McpRequest {
  const { signal } = abortWhenLeft(c.env.outgoing)
  const address = clientAddress(c.env.incoming, mcp.trustedProxies)
  return { headers: c.req.raw.headers, body: '', address, calledAs: c.req.param('id') ?? null, signal }
}

async function answer(asked: Asked, make: (asked: Asked) => Promise<Made>): Promise<Response> {
  const { c, server, endpoint, request } = asked
  const made = await make(asked)
  if ('status' in made) return new Response(made.body as string | null, made)
  const isOpen = server.visibility === 'public'
  const isListed = isOpen && server.webPages === 'listed'
  const etag = `"${createHash('sha256').update(made.text).digest('base64url').slice(0, 22)}"`
  const headers = {
    ...(isListed && made.type === CARD_TYPE
      ? { 'access-control-allow-origin': '*' }
      : corsHeaders(endpoint.origins, request.headers.get('origin'))),
    'content-type': `${made.type}; charset=utf-8`,
    'cache-control': isOpen ? 'no-cache' : 'private, no-cache',
    vary: 'Accept, Authorization',
    etag,
    // A hostile page is never markup: browsers get it as text, and run nothing of it.
    'content-security-policy': "default-src 'none'; sandbox",
    ...(isListed ? {} : { 'x-robots-tag': 'noindex, nofollow' }),
    ...(made.type === BUNDLE_TYPE && {
      'content-type': BUNDLE_TYPE,
      'content-disposition': `attachment; filename="${server.slug}.mcpb"`,
    }),
  }
  if (c.req.header('if-none-match') === etag) return c.body(null, 304, headers)
  const bytes = typeof made.text === 'string' ? new TextEncoder().encode(made.text) : made.text
  const sent = await pack(bytes, { accepted: c.req.header('accept-encoding'), headers })
  return c.body(sent.body, 200, sent.headers)
}

async function documentOf(
  { document }: Endpoint,
  name: WebDocument['name'],
  { c, request }: Pick<Asked, 'c' | 'request'>,
): Promise<string> {
  const asked = c.req.query('from')
  const from = asked === undefined ? null : Number(asked)
  if (!document || (from !== null && !(Number.isSafeInteger(from) && from >= 0))) throw new DocentError('not_found')
  return document({ name, from }, request.signal)
}

/** Reads a page as MCP clients do, with its record in the request log. */
async function readPage({ operations }: Deps, { c, server, endpoint, request }: Asked): Promise<Made> {
  const { pathname } = new URL(c.req.url)
  const part = c.req.query('part')
  const path = pathname.slice(pathname.indexOf('/pages/') + '/pages/'.length)
  const uri = `${operations.baseUrl()}/api/mcp/${server.slug}/pages/${path}${part === undefined ? '' : `?part=${part}`}`
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: READ_RESOURCE, params: { uri: withoutNul(uri) } })
  const headers = { get: (name: string) => (name === 'mcp-protocol-version' ? null : request.headers.get(name)) }
  const reply = await dispatch(endpoint, { ...request, headers, body })
  if (reply.status !== 200) return reply
  const { result, error } = JSON.parse(
    typeof reply.body === 'string' ? reply.body : new TextDecoder().decode(reply.body ?? undefined),
  )
  if (error)
    throw new DocentError(error.code === RPC.invalidParams ? 'page_not_found' : 'internal', { text: error.message })
  return { text: result.contents[0].text, type: acceptsHtml(c) ? 'text/plain' : MARKDOWN }
}
