import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { catalog, registryEntry } from '#http/discovery.ts'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { makeArchive } from '../support/lib/make-archive.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'

/** The rules of the schemas of server cards (v1) and the registry (2025-12-11) for the members that are sent. */
const remote = {
  type: z.literal('streamable-http'),
  url: z.url(),
  headers: z
    .array(
      z.strictObject({ name: z.string(), description: z.string(), isRequired: z.boolean(), isSecret: z.boolean() }),
    )
    .optional(),
}
const about = {
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z
    .string()
    .max(255)
    .regex(/^\d+\.\d+\.\d+/),
  websiteUrl: z.url(),
}
const schemas = 'https://static.modelcontextprotocol.io/schemas'
const Card = z.strictObject({
  $schema: z.literal(`${schemas}/v1/server-card.schema.json`),
  ...about,
  remotes: z.array(z.strictObject({ ...remote, supportedProtocolVersions: z.array(z.string()) })),
})
const RegistryEntry = z.strictObject({
  $schema: z.literal(`${schemas}/2025-12-11/server.schema.json`),
  ...about,
  remotes: z.array(z.strictObject(remote)),
})

/** The rules of the schema of manifests of MCP bundles (0.3) for the members that are sent. */
const Manifest = z.strictObject({
  manifest_version: z.literal('0.3'),
  name: z.string(),
  display_name: z.string(),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  description: z.string(),
  author: z.strictObject({ name: z.string(), url: z.url() }),
  server: z.strictObject({
    type: z.literal('node'),
    entry_point: z.string(),
    mcp_config: z.strictObject({
      command: z.string(),
      args: z.array(z.string()),
      env: z.record(z.string(), z.string()),
    }),
  }),
  tools_generated: z.boolean(),
  user_config: z
    .record(
      z.string(),
      z.strictObject({
        type: z.enum(['string', 'number', 'boolean', 'directory', 'file']),
        title: z.string(),
        description: z.string(),
        sensitive: z.boolean(),
        required: z.boolean(),
      }),
    )
    .optional(),
  compatibility: z.strictObject({
    platforms: z.array(z.enum(['darwin', 'win32', 'linux'])),
    runtimes: z.strictObject({ node: z.string() }),
  }),
})

onSqliteAtLeast('discovery', (engine) => {
  let docent: Docent
  let slug = ''
  let hidden = { slug: '', token: '' }

  const read = (path: string, headers: Record<string, string> = {}) => fetch(docent.url + path, { headers })
  const json = async (path: string, headers?: Record<string, string>): Promise<any> =>
    (await read(path, headers)).json()
  const call = async (method: string, params: object = {}, { server = slug, token = '' } = {}) =>
    docent.request(
      'POST',
      `/api/mcp/${server}/chatgpt`,
      { jsonrpc: '2.0', id: 1, method, params },
      {
        key: null,
        headers: token === '' ? {} : { authorization: `Bearer ${token}` },
      },
    )

  beforeAll(async () => {
    docent = await startDocent({ engine })
    const long = Array.from({ length: 2_000 }, (_, at) => `Paragraph ${at} about the long pipe.`).join('\n\n')
    const files = {
      'valves.md': '# Valves\n\n## Closing\n\nClose the valve clockwise.\n\n## Opening\n\nOpen the valve slowly.\n',
      'long.md': `# Long\n\n${long}\n\n## Flushing\n\nFlush the pipe with rinse water.\n`,
    }
    const description = `Everything about valves. ${'And more. '.repeat(30)}`
    const given = { name: 'Plant', description, uploads: ['manual'] }
    slug = (await docent.request('POST', '/api/mcp/create', given)).body.slug
    await docent.request('POST', `/api/mcp/${slug}/sources/upload?name=manual`, new Uint8Array(makeArchive(files)))
    const secret = (
      await docent.request('POST', '/api/mcp/create', { name: 'Hidden', uploads: ['none'], visibility: 'private' })
    ).body
    hidden = { slug: secret.slug, token: secret.accessToken }
    await docent.untilDone(slug)
  })
  afterAll(() => docent[Symbol.asyncDispose]())

  test('describes a server by a card, as its schema says', async () => {
    const card = await read(`/api/mcp/${slug}/server-card`)
    expect(card.headers.get('content-type')).toBe('application/mcp-server-card+json; charset=utf-8')
    const remotes = [{ type: 'streamable-http', url: `${docent.url}/api/mcp/${slug}` }]
    expect(Card.parse(await card.json())).toMatchObject({ name: `1.0.0.127/${slug}`, title: 'Plant', remotes })
  })

  test('describes a server for the registry under the domain of the instance, which an address has not', async () => {
    const server = { slug: 'plant', name: 'Plant', description: '\n \n', visibility: 'private' } as const
    expect(RegistryEntry.parse(JSON.parse(registryEntry('https://docs.example.com', server)))).toMatchObject({
      name: 'com.example.docs/plant',
      description: 'Searches the documentation of Plant.',
      remotes: [{ url: 'https://docs.example.com/api/mcp/plant', headers: [{ isSecret: true }] }],
    })
    const odd = [`https://docs_1.example.com.`, `https://${'a-label-of-a-long-host.'.repeat(9)}example.com`]
    const named = odd.map((base) => RegistryEntry.parse(JSON.parse(registryEntry(base, server))).name)
    expect(named).toEqual(['com.example.docs-1/plant', expect.stringMatching(/^com\.example\.a-label.{175}\/plant$/)])
    const refused = await read(`/api/mcp/${slug}/server.json`)
    expect([refused.status, await refused.json()]).toMatchObject([409, { error: 'domain_required' }])
    for (const address of ['http://localhost:8787', 'http://docs.localhost', 'http://[::1]:8787', 'http://intranet'])
      expect(() => registryEntry(address, server)).toThrow(/DOCENT_PUBLIC_URL/)
    const [card, skill] = catalog('https://docs.example.com', [server]).entries
    expect(card).toEqual({
      identifier: 'urn:air:docs.example.com:mcp:plant',
      type: 'application/mcp-server-card+json',
      url: 'https://docs.example.com/api/mcp/plant/server-card',
    })
    expect(skill?.identifier).toBe('urn:air:docs.example.com:skill:plant')
  })

  test('gives the card of a private server to callers with a token only, and asks for the token in it', async () => {
    expect((await read(`/api/mcp/${hidden.slug}/server-card`)).status).toBe(401)
    const card = await json(`/api/mcp/${hidden.slug}/server-card`, { authorization: `Bearer ${hidden.token}` })
    expect(Card.parse(card).remotes[0]?.headers).toMatchObject([{ name: 'Authorization', isSecret: true }])
    expect(JSON.stringify(card)).not.toContain(hidden.token)
  })

  test.each(['public', 'private'])('is installed by desktop clients from a bundle (%s server)', async (visibility) => {
    const { slug: name, token } = visibility === 'public' ? { slug, token: '' } : hidden
    const headers = token === '' ? {} : { authorization: `Bearer ${token}` }
    const sent = await read(`/api/mcp/${name}/server.mcpb`, headers)
    expect([sent.status, sent.headers.get('content-type')]).toEqual([200, 'application/zip'])
    expect(sent.headers.get('content-disposition')).toBe(`attachment; filename="${name}.mcpb"`)
    expect((await read(`/api/mcp/${name}/server.mcpb`)).status).toBe(token === '' ? 200 : 401)
    const files = unzipSync(new Uint8Array(await sent.arrayBuffer()))
    expect(Object.keys(files)).toEqual(['manifest.json', 'server/bridge.mjs', 'licences.txt'])
    const text = strFromU8(files['manifest.json'] ?? new Uint8Array())
    const { server, user_config: asked = {} } = Manifest.parse(JSON.parse(text))
    expect(Object.keys(asked)).toEqual(token === '' ? [] : ['access_token'])

    // As a client installs and starts it.
    await using folder = await mkdtempDisposable(join(tmpdir(), 'docent-mcpb-'))
    await mkdir(join(folder.path, 'server'))
    await writeFile(join(folder.path, server.entry_point), files[server.entry_point] ?? '')
    const fill = (given: string) =>
      given.replace('${__dirname}', folder.path).replace('${user_config.access_token}', token)
    const env = Object.fromEntries(Object.entries(server.mcp_config.env).map(([key, value]) => [key, fill(value)]))
    const client = new Client({ name: 'desktop', version: '1' })
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: server.mcp_config.args.map(fill), env }),
    )
    expect((await client.listTools()).tools.map((tool) => tool.name)).toContain('search_docs')
    await client.close()
  })

  test('names listed public servers in the catalogues of the instance, and no others', async () => {
    const PATHS = [
      '/.well-known/ai-catalog.json',
      '/.well-known/skills/index.json',
      '/.well-known/agent-skills/index.json',
    ]
    for (const path of PATHS) expect(JSON.stringify(await json(path))).not.toContain('api/mcp')
    expect((await read(`/.well-known/skills/${slug}/SKILL.md`)).status).toBe(404)
    for (const each of [slug, hidden.slug]) await docent.request('PATCH', `/api/mcp/${each}`, { webPages: 'listed' })
    const answer = await read('/.well-known/ai-catalog.json', { origin: 'https://anywhere.example' })
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/ai-catalog+json',
      'access-control-allow-origin': '*',
    })
    const url = `${docent.url}/api/mcp/${slug}`
    expect(await answer.json()).toEqual({
      specVersion: '1.0',
      host: { displayName: '127.0.0.1', documentationUrl: `${docent.url}/docs` },
      entries: [
        {
          identifier: `${url}/server-card`,
          type: 'application/mcp-server-card+json',
          url: `${url}/server-card`,
        },
        {
          identifier: `${url}/skill.md`,
          displayName: 'Plant',
          type: 'application/agent-skills+md',
          url: `${url}/skill.md`,
        },
      ],
    })
    for (const path of PATHS.slice(1)) {
      const { skills } = await json(path)
      expect(skills.map(({ name }: { name: string }) => name)).toEqual([slug])
    }
    expect(await (await read(`/.well-known/skills/${slug}/SKILL.md`)).text()).toContain(`${url}/llms.txt`)
  })

  describe('the address of a server for ChatGPT', () => {
    const data = async (name: string, args: object) => {
      const { body } = await call('tools/call', { name, arguments: args })
      expect(body.error).toBeUndefined()
      const [item, ...more] = body.result.content
      expect(more).toEqual([])
      expect(JSON.parse(item.text)).toEqual(body.result.structuredContent)
      return body.result.structuredContent
    }

    test('lists only search and fetch, each with one argument', async () => {
      const { tools } = (await call('tools/list')).body.result
      expect(tools.map(({ name, inputSchema }: any) => [name, inputSchema.required])).toEqual([
        ['search', ['query']],
        ['fetch', ['id']],
      ])
      for (const { annotations, title, outputSchema } of tools) {
        expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false, openWorldHint: false })
        expect(title).toEqual(expect.any(String))
        expect(outputSchema.properties).not.toHaveProperty('notes')
      }
      expect(
        (await call('tools/call', { name: 'search_docs', arguments: { query: 'valve' } })).body.error,
      ).toMatchObject({
        code: -32602,
      })
    })

    test('finds sections, and reads them by their ids', async () => {
      const { results } = await data('search', { query: 'how to close the valve' })
      expect(results[0]).toEqual({
        id: 'upload://manual/valves.md#closing',
        title: 'Valves › Closing',
        url: `${docent.url}/api/mcp/${slug}/pages/uploads/manual/valves.md#closing`,
      })
      expect(await data('fetch', { id: results[0].id })).toEqual({
        id: 'upload://manual/valves.md#closing',
        title: 'Valves',
        text: expect.stringMatching(/^# Valves\n\n## Closing\n[^]*Open the valve slowly\.$/),
        url: results[0].url,
        metadata: { source: 'upload://manual/', type: 'docs' },
      })
    })

    test('reads the section of a long page that search found', async () => {
      const { results } = await data('search', { query: 'flush the pipe with rinse water' })
      expect((await data('fetch', { id: results[0].id })).text).toBe('## Flushing\n\nFlush the pipe with rinse water.')
    })

    test('finds nothing for an unknown id, and needs the token of a private server', async () => {
      expect(
        (await call('tools/call', { name: 'fetch', arguments: { id: 'upload://none/x.md' } })).body.error,
      ).toMatchObject({
        code: -32602,
        message: expect.stringContaining('No page with the address'),
      })
      const refused = await call('tools/list', {}, { server: hidden.slug })
      expect(refused.status).toBe(401)
      const resource = `${docent.url}/.well-known/oauth-protected-resource/api/mcp/${hidden.slug}/chatgpt`
      expect(refused.headers.get('www-authenticate')).toContain(`resource_metadata="${resource}"`)
      expect(await (await fetch(resource)).json()).toMatchObject({
        resource: `${docent.url}/api/mcp/${hidden.slug}/chatgpt`,
      })
      expect((await call('tools/list', {}, { server: hidden.slug, token: hidden.token })).status).toBe(200)
    })
  })
})
