import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { startDocent } from '../../support/service/harness.ts'
import { oauthWorld } from '../../support/service/oauth-client.ts'
import { startNameServer } from '../ssrf/name-server.ts'

/** What happened to each client, by the address of its metadata document. */
export type Report = { connected: Record<string, Connected>; refused: Record<string, string>; fetched: string[] }
type Connected = { shows: string; returnsTo: string; resource: boolean; tools: boolean; refreshes: boolean }

/** The forms in which hosted clients describe themselves. */
const CLAUDE = {
  client_id: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
  client_name: 'Claude',
  client_uri: 'https://claude.ai',
  redirect_uris: ['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
}
const CONNECTOR = 'conn_6741b0e5'
const CHATGPT = {
  client_id: `https://chatgpt.com/oauth/${CONNECTOR}/client.json`,
  client_name: 'ChatGPT',
  redirect_uris: [`https://chatgpt.com/connector/oauth/${CONNECTOR}`],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
}
const CODEX = {
  client_id: 'https://chatgpt.com/oauth/codex/client.json',
  client_name: 'Codex',
  redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
  token_endpoint_auth_method: 'none',
}
const CLAUDE_CODE = {
  client_id: 'https://claude.ai/oauth/claude-code-client-metadata',
  client_name: 'Claude Code',
  redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
  token_endpoint_auth_method: 'none',
}
const bad = (path: string, more: object) => ({ ...CLAUDE, client_id: `https://claude.ai${path}`, ...more })
const DOCUMENTS: Record<string, object> = {
  [CLAUDE.client_id]: CLAUDE,
  [CHATGPT.client_id]: CHATGPT,
  [CODEX.client_id]: CODEX,
  [CLAUDE_CODE.client_id]: CLAUDE_CODE,
  'https://claude.ai/other': bad('/another', {}),
  'https://claude.ai/large': bad('/large', { client_uri: 'x'.repeat(33 * 1024) }),
  'https://claude.ai/fits': bad('/fits', { client_uri: 'x'.repeat(30 * 1024) }),
  'https://untrusted.public.test/client.json': {
    ...CLAUDE,
    client_id: 'https://untrusted.public.test/client.json',
  },
}
const REFUSED = [
  'https://claude.ai/other',
  'https://claude.ai/large',
  'https://claude.ai/moved',
  'https://claude.ai/slow',
  'https://claude.ai/missing',
  // Its certificate is not for this name.
  'https://untrusted.public.test/client.json',
  // Names of private addresses.
  'https://loopback.test/client.json',
  'https://a-10-0-0-1.test/client.json',
  'https://a-169-254-169-254.test/client.json',
  'https://127.0.0.1/client.json',
]

const folder = process.argv[2] ?? ''
const fetched: string[] = []
await startNameServer()
const keys = { key: readFileSync(join(folder, 'key.pem')), cert: readFileSync(join(folder, 'cert.pem')) }
const site = createServer(keys, (request, response) => {
  const url = `https://${request.headers.host}${request.url}`
  fetched.push(url)
  if (url.endsWith('/slow')) return
  if (url.endsWith('/moved')) response.writeHead(302, { location: CLAUDE.client_id })
  else response.writeHead(DOCUMENTS[url] ? 200 : 404, { 'content-type': 'application/json' })
  response.end(JSON.stringify(DOCUMENTS[url] ?? {}))
})
await new Promise<void>((resolve) => site.listen(443, '0.0.0.0', resolve))

// The templates of databases are known to the tests alone.
const place = {
  dataDir: folder,
  database: { engine: 'sqlite' as const, path: join(folder, 'docent.sqlite') },
  [Symbol.asyncDispose]: async () => undefined,
}
const docent = await startDocent({ place, environment: { DOCENT_ALLOW_NETWORKS: '', DOCENT_RATE_LIMITS: 'off' } })
const world = oauthWorld(() => docent)
const { cookie, key } = await world.person('hosted')
const sources = [{ url: 'http://public.test/' }]
const made = await docent.request('POST', '/api/mcp/create', { name: 'Docs', sources, visibility: 'private' }, { key })
const own = { cookie, slug: String(made.body.slug) }

/** Goes the way of a client: from the refusal of the server to its tools, and through a refresh. */
async function connect({ client_id: clientId, redirect_uris: [registered = ''] }: typeof CLAUDE): Promise<Connected> {
  const redirectUri = registered.replace(/(?<=^http:..[\w.]+)\//, ':41234/')
  const refusal = await world.call(own.slug, 'tools/list', null)
  const metadata = /resource_metadata="([^"]+)"/.exec(refusal.headers.get('www-authenticate') ?? '')?.[1] ?? ''
  const read = async (url: string) => (await (await fetch(url)).json()) as Record<string, any>
  const resource = await read(metadata)
  const server = await read(`${String(resource['authorization_servers'][0])}/.well-known/oauth-authorization-server`)
  if (server['client_id_metadata_document_supported'] !== true) throw new Error('no metadata documents')
  const verifier = randomBytes(32).toString('base64url')
  const asked = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state: 'st',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource: String(resource['resource']),
    scope: (resource['scopes_supported'] as string[]).join(' '),
  }
  const page = await (await world.show(asked, own.cookie)).text()
  const answer = await world.decide(asked, own.cookie)
  const { code = '', iss } = world.returned(answer) ?? {}
  if (iss !== server['issuer']) throw new Error('another issuer')
  const more = { redirect_uri: redirectUri, code_verifier: verifier, resource: asked.resource }
  const { body } = await world.redeem(clientId, code, more)
  const tools = await world.call(own.slug, 'tools/list', body['access_token'])
  const again = await world.refresh(clientId, body['refresh_token'], { resource: asked.resource })
  return {
    shows: /It is run by <strong>([^<]+)/.exec(page)?.[1] ?? '',
    returnsTo: (answer.headers.get('location') ?? '').split('?')[0] ?? '',
    resource: body['resource'] === asked.resource,
    tools: tools.body.result.tools.length > 2,
    refreshes: (await world.call(own.slug, 'ping', again.body['access_token'])).status === 200,
  }
}

const report: Report = { connected: {}, refused: {}, fetched }
for (const client of [CLAUDE, CHATGPT, CODEX, CLAUDE_CODE, bad('/fits', {})]) {
  report.connected[client.client_id] = await connect(client as typeof CLAUDE)
}
for (const id of REFUSED) {
  const shown = await world.show(
    world.request(id, own.slug, { redirect_uri: CLAUDE.redirect_uris[0] ?? '' }),
    own.cookie,
  )
  const why = /This cannot be connected<\/h1>\s*<p>([^<]+)/.exec(await shown.text())?.[1] ?? ''
  report.refused[id] = `${shown.status} ${why}`
}
process.stdout.write(JSON.stringify(report))
await docent[Symbol.asyncDispose]()
site.closeAllConnections()
process.exit(0)
