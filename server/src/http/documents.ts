import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { openApiDocument } from '@docent/contract/reference/openapi'
import type { Hono } from 'hono'
import { ROOT } from '#lib/place.ts'
import { type Asset, acceptsHtml, assetOf, send } from './browser-files.ts'
import { llmsTxtOf } from './list-documents.ts'
import type { Bindings } from './read-request.ts'

/** Documents beside `docs/`, by their name in an address. Installations may lack them. */
const OUTSIDE = { 'getting-started': 'README.md', security: 'SECURITY.md', changelog: 'CHANGELOG.md' }
/** Paths in the list of documents that have another address here. */
const MOVED = new Map([
  ...Object.entries(OUTSIDE).map(([name, file]) => [`../${file}`, `/docs/${name}.md`] as const),
  ['openapi.json', '/openapi.json'],
])
const HEADERS = { 'cache-control': 'no-cache', vary: 'Accept, Accept-Encoding' }

const compress = promisify(gzip)

type Deps = { hasScreen: boolean; sdkUrl: string | null; baseUrl: () => string }

/**
 * Adds the documents as Markdown at `/docs/NAME` and `/docs/NAME.md`, `docs/README.md` at `/docs`, their list at
 * `/docs/llms.txt`, and the description of the API. Browsers get the screen of the dashboard for addresses without
 * `.md`, if there is one.
 */
export function addDocuments(app: Hono<Bindings>, { hasScreen, sdkUrl, baseUrl }: Deps) {
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
  app.get('/docs/llms.txt', (c) => {
    const list = readFileSync(files.get('') ?? '', 'utf8')
    const text = llmsTxtOf(list, (path) => addressOf(path, files, baseUrl()))
    return c.text(text, 200, { 'cache-control': 'no-cache' })
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

/** The address of a path in the list of documents, or null if this service does not have it. */
function addressOf(path: string, files: ReadonlyMap<string, URL>, baseUrl: string): string | null {
  const name = path.replace(/\.md$/, '').toLowerCase()
  const own = MOVED.get(path) ?? (files.has(name) ? `/docs/${name}.md` : null)
  return own === null ? null : baseUrl + own
}

async function packed(bytes: Buffer, extension: string): Promise<Asset> {
  const gzipped = await compress(bytes, { level: 9 })
  return { ...assetOf(new Uint8Array(bytes), extension), gzip: new Uint8Array(gzipped) }
}
