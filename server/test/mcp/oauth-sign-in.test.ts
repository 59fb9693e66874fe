import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { CALLBACK, oauthWorld } from '../support/service/oauth-client.ts'

let docent: Docent
const { person, decide, returned } = oauthWorld(() => docent)
beforeAll(async () => {
  docent = await startDocent({ environment: { DOCENT_OAUTH_ACCOUNT: 'on' } })
})
afterAll(() => docent[Symbol.asyncDispose]())

/** What a desktop client keeps, and the address that it opens in the browser. */
function keeper() {
  const kept: Record<string, any> = {}
  let opened: URL | null = null
  const provider: OAuthClientProvider = {
    redirectUrl: CALLBACK,
    clientMetadata: { client_name: 'Desktop', redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' },
    state: () => 'of the client',
    clientInformation: () => kept['client'],
    saveClientInformation: (client) => void (kept['client'] = client),
    tokens: () => kept['tokens'],
    saveTokens: (tokens) => void (kept['tokens'] = tokens),
    redirectToAuthorization: (url) => void (opened = url),
    saveCodeVerifier: (verifier) => void (kept['verifier'] = verifier),
    codeVerifier: () => kept['verifier'],
  }
  return { kept, provider, opened: () => opened }
}

test.each([
  ['server', 'read ask', 'search_docs'],
  ['account', 'read ask write publish', 'create_server'],
])(
  'the official client finds the way from the 401 of the %s, signs in, and refreshes its token',
  async (what, scope, tool) => {
    const own = await person(what)
    const path = what === 'account' ? '/api/headless/mcp' : `/api/mcp/${own.slug}`
    const { kept, provider, opened } = keeper()
    const at = () => new StreamableHTTPClientTransport(new URL(docent.url + path), { authProvider: provider })
    const refused = at()
    await expect(new Client({ name: 'desktop', version: '1' }).connect(refused)).rejects.toThrow(UnauthorizedError)
    const asked = Object.fromEntries(opened()?.searchParams ?? [])
    expect(asked).toMatchObject({ scope, state: 'of the client', response_type: 'code' })
    await refused.finishAuth(returned(await decide(asked, own.cookie))?.['code'] ?? '')

    const client = new Client({ name: 'desktop', version: '1' })
    await client.connect(at())
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain(tool)
    const called = await client.callTool(
      what === 'account' ? { name: 'list_servers' } : { name: 'search_docs', arguments: { query: 'sprockets' } },
    )
    expect(called.isError ?? false).toBe(false)
    await client.close()

    const { access_token: before } = kept['tokens']
    await docent.inStore(({ write }) =>
      write.updateTable('oauthTokens').set({ expiresAt: 1 }).where('kind', '=', 'access').execute(),
    )
    await client.connect(at())
    expect((await client.listTools()).tools).toHaveLength(tools.length)
    expect(kept['tokens'].access_token).not.toBe(before)
    await client.close()
  },
)

test('the official client connects to a public server without any sign-in', async () => {
  const own = await person('open')
  await docent.request('PATCH', `/api/mcp/${own.slug}/visibility`, { visibility: 'public' }, { key: own.key })
  const { provider, opened } = keeper()
  const client = new Client({ name: 'desktop', version: '1' })
  const url = new URL(`${docent.url}/api/mcp/${own.slug}`)
  await client.connect(new StreamableHTTPClientTransport(url, { authProvider: provider }))
  expect([(await client.listTools()).tools.length > 2, opened()]).toEqual([true, null])
  await client.close()
})
