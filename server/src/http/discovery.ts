import { isIP } from 'node:net'
import type { Hono } from 'hono'
import { cors } from 'hono/cors'
import { DocentError } from '#errors.ts'
import { LEGACY_VERSIONS, MODERN_VERSIONS } from '#mcp/protocol/message.ts'
import { oneLine } from '#mcp/passages/format-citation.ts'
import { enforceRateLimit } from '#operations/rate-limits.ts'
import { endpointUrl } from '#operations/servers/present.ts'
import { type CatalogueServer, listListed } from '#store/servers/served.ts'
import { VERSION } from '#version.ts'
import type { AppDeps } from './app.ts'
import { type Bindings, clientAddress } from './read-request.ts'
import { skillIndex, skillOf } from './skills.ts'

const SCHEMAS = 'https://static.modelcontextprotocol.io/schemas'
export const CARD_TYPE = 'application/mcp-server-card+json'
/** Longest title, description and name of a card and in the registry. */
const LONGEST = 100
const LONGEST_NAME = 200

export type Described = Pick<CatalogueServer, 'slug' | 'name' | 'description' | 'visibility'>

/** What the card and the registry say of a server. Its name is the host backwards, which proves who may publish it. */
export function describe(baseUrl: string, { slug, name, description, visibility }: Described) {
  const host = new URL(baseUrl).hostname.replaceAll(/[[\]]/g, '').replaceAll(/[:_]/g, '-')
  const namespace = host.split('.').filter(Boolean).toReversed().join('.')
  const headers = [{ name: 'Authorization', description: 'Bearer <ACCESS_TOKEN>', isRequired: true, isSecret: true }]
  return {
    name: `${namespace.slice(0, LONGEST_NAME - slug.length - 1)}/${slug}`,
    title: oneLine(name, LONGEST) || slug,
    description: oneLine(description ?? '', LONGEST) || oneLine(`Searches the documentation of ${name}.`, LONGEST),
    version: VERSION,
    websiteUrl: baseUrl,
    remote: {
      type: 'streamable-http',
      url: endpointUrl(baseUrl, slug),
      ...(visibility === 'private' ? { headers } : {}),
    },
  }
}

/** The server card of https://modelcontextprotocol.io/seps/2127-mcp-server-cards. */
export function serverCard(baseUrl: string, server: Described): string {
  const { remote, ...about } = describe(baseUrl, server)
  const supportedProtocolVersions = [...LEGACY_VERSIONS, ...MODERN_VERSIONS]
  const remotes = [{ ...remote, supportedProtocolVersions }]
  return JSON.stringify({ $schema: `${SCHEMAS}/v1/server-card.schema.json`, ...about, remotes }, null, 2)
}

/** Names of servers in registries and catalogues begin with a domain. Its owner proves it by DNS, so addresses are none. */
const hasDomain = (hostname: string): boolean =>
  hostname.includes('.') && isIP(hostname) === 0 && !hostname.endsWith('.localhost')

/** The file with which an owner publishes a server in the registry (https://modelcontextprotocol.io/registry). */
export function registryEntry(baseUrl: string, server: Described): string {
  if (!hasDomain(new URL(baseUrl).hostname)) throw new DocentError('domain_required')
  const { remote, ...about } = describe(baseUrl, server)
  return JSON.stringify({ $schema: `${SCHEMAS}/2025-12-11/server.schema.json`, ...about, remotes: [remote] }, null, 2)
}

/** The catalogue of https://ai-catalog.io/spec: the card and the skill of each server. */
export function catalog(baseUrl: string, servers: readonly Described[]) {
  const host = new URL(baseUrl).hostname
  const entries = servers.flatMap(({ slug, name }) => {
    const entry = (kind: string, path: string) => {
      const url = `${endpointUrl(baseUrl, slug)}/${path}`
      return { identifier: hasDomain(host) ? `urn:air:${host}:${kind}:${slug}` : url, url }
    }
    return [
      { ...entry('mcp', 'server-card'), type: CARD_TYPE },
      { ...entry('skill', 'skill.md'), displayName: oneLine(name, LONGEST), type: 'application/agent-skills+md' },
    ]
  })
  return { specVersion: '1.0', host: { displayName: host, documentationUrl: `${baseUrl}/docs` }, entries }
}

/** Requests from one network for what names all listed servers. */
const LIMIT = { limit: 120, windowMs: 60_000, of: 'requests for catalogues' }
/** Catalogues may be an hour old (discovery of MCP, "Caching"). */
const HEADERS = { 'cache-control': 'public, max-age=3600' }

/** Adds the catalogues of the instance. They name public servers whose owner lists them, and no others. */
export function addDiscovery(app: Hono<Bindings>, { operations, mcp }: AppDeps): void {
  const add = (path: string, type: string, make: (baseUrl: string, servers: CatalogueServer[]) => string) => {
    app.get(path, cors({ origin: '*', allowMethods: ['GET'] }), async (c) => {
      const network = clientAddress(c.env.incoming, mcp.trustedProxies)
      await enforceRateLimit(operations, { key: 'catalogues from:', network, ...LIMIT })
      const text = make(operations.baseUrl(), await listListed(operations.store.read))
      return c.body(text, 200, { ...HEADERS, 'content-type': type })
    })
  }
  const json = 'application/json'
  add('/.well-known/ai-catalog.json', 'application/ai-catalog+json', (base, all) => JSON.stringify(catalog(base, all)))
  for (const folder of ['skills', 'agent-skills'] as const)
    add(`/.well-known/${folder}/index.json`, json, (base, servers) => skillIndex(base, servers, folder))
  app.get('/.well-known/skills/:name/SKILL.md', async (c) => {
    const servers = await listListed(operations.store.read)
    const server = servers.find(({ slug }) => slug === c.req.param('name'))
    return server
      ? c.body(skillOf(operations.baseUrl(), server), 200, { 'content-type': 'text/markdown; charset=utf-8' })
      : c.notFound()
  })
}
