import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { openApiDocument } from '@docent/contract/reference/openapi'
import type { Hono } from 'hono'
import { ROOT } from '#lib/place.ts'
import { type Asset, acceptsHtml, assetOf, send } from './browser-files.ts'
import type { Bindings } from './read-request.ts'

/** Documents beside `docs/`, by their name in an address. Installations may lack them. */
const OUTSIDE = { 'getting-started': 'README.md', security: 'SECURITY.md', changelog: 'CHANGELOG.md' }
const HEADERS = { 'cache-control': 'no-cache', vary: 'Accept, Accept-Encoding' }

const compress = promisify(gzip)

/**
 * Adds the documents as Markdown at `/docs/NAME` and `/docs/NAME.md`, `docs/README.md` at `/docs`, and the description
 * of the API. Browsers get the screen of the dashboard for addresses without `.md`, if there is one.
 */
export function addDocuments(
  app: Hono<Bindings>,
  { hasScreen, sdkUrl }: { hasScreen: boolean; sdkUrl: string | null },
) {
  const files = findDocuments()
  const kept = new Map<string, Promise<Asset>>()
  const keep = (name: string, make: () => Promise<Asset>): Promise<Asset> => {
    const known = kept.get(name) ?? make()
    kept.set(name, known)
    return known
  }
  // Made for the first reader: it takes 75 ms, half of the start.
  app.get('/openapi.json', async (c) => {
    const make = () => packed(Buffer.from(JSON.stringify(openApiDocument({ sdkUrl }))), '.json')
    return send(c, await keep('openapi.json', make), HEADERS)
  })
  for (const path of ['/docs', '/docs/:name'])
    app.get(path, async (c, next) => {
      const asked = c.req.param('name') ?? ''
      if (hasScreen && acceptsHtml(c) && !asked.endsWith('.md')) return next()
      const name = asked.replace(/\.md$/, '').toLowerCase()
      const file = files.get(name)
      if (!file) return c.notFound()
      return send(c, await keep(name, () => packed(readFileSync(file), '.md')), HEADERS)
    })
}

/** The documents by the name in their address. That of their list is empty. */
function findDocuments(): Map<string, URL> {
  const folder = new URL('docs/', ROOT)
  const names = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md')
  const outside = Object.entries(OUTSIDE).map(([name, file]) => [name, new URL(file, ROOT)] as const)
  return new Map([
    ['', new URL('README.md', folder)],
    ...names.map((name) => [name.slice(0, -'.md'.length).toLowerCase(), new URL(name, folder)] as const),
    ...outside.filter(([, file]) => existsSync(file)),
  ])
}

async function packed(bytes: Buffer, extension: string): Promise<Asset> {
  const gzipped = await compress(bytes, { level: 9 })
  return { ...assetOf(new Uint8Array(bytes), extension), gzip: new Uint8Array(gzipped) }
}
