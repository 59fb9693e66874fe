import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { openApiDocument } from '@docent/contract/reference/openapi'
import type { Hono } from 'hono'
import { ROOT } from '#lib/place.ts'
import { type Asset, acceptsHtml, assetOf, PAGE_HEADERS, send } from './browser-files.ts'
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

type Deps = {
  /** Browsers get pages. */
  hasPages: boolean
  documentsWidget: string | null
  sdkUrl: string | null
  baseUrl: () => string
}

/**
 * Adds the documents as Markdown at `/docs/NAME` and `/docs/NAME.md`, `docs/README.md` at `/docs`, their list at
 * `/docs/llms.txt`, and the description of the API. Browsers get the pages of the static site (`scripts/site/`) for
 * addresses without `.md`.
 */
export function addDocuments(app: Hono<Bindings>, { hasPages, documentsWidget, sdkUrl, baseUrl }: Deps) {
  const files = findDocuments()
  const site = hasPages ? findSite() : new Set<string>()
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
  const makePage = (name: string) => {
    const bytes = readFileSync(new URL(name, SITE))
    const extension = extname(name)
    return packed(
      extension === '.html' && documentsWidget ? withWidget(bytes, sdkUrl, documentsWidget) : bytes,
      extension,
    )
  }
  const headers = { ...PAGE_HEADERS, 'content-security-policy': policyOf(sdkUrl) }
  app.get('/docs/*', async (c) => {
    const asked = c.req.path.slice('/docs/'.length)
    const page = acceptsHtml(c) && !asked.endsWith('.md') ? `${asked.toLowerCase() || 'index'}.html` : asked
    const own = [asked, page].find((name) => site.has(name))
    // Links between pages are relative.
    if (own !== undefined && new URL(c.req.url).pathname === '/docs') return c.redirect('/docs/')
    if (own !== undefined) return send(c, await keep(own, () => makePage(own)), headers)
    const name = asked.replace(/\.md$/, '').toLowerCase()
    const file = files.get(name)
    if (!file) return c.notFound()
    return send(c, await keep(`${name}.md`, () => packed(readFileSync(file), '.md')), HEADERS)
  })
}

/** Folder of the pages. `npm run build` writes them. */
const SITE = new URL('dist/docs/', ROOT)

/** The paths of the pages and of what they load. */
function findSite(): ReadonlySet<string> {
  const entries = existsSync(SITE) ? readdirSync(SITE, { recursive: true, withFileTypes: true }) : []
  const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
  const base = fileURLToPath(SITE)
  return new Set(files.map(({ parentPath, name }) => relative(base, join(parentPath, name)).replaceAll('\\', '/')))
}

/** A page with the widget of a configuration. */
function withWidget(page: Buffer, sdkUrl: string | null, configuration: string): Buffer {
  const script = `<script async src="${sdkUrl ?? ''}/embed/docent.js" data-configuration="${configuration}"></script>`
  return Buffer.from(page.toString().replace('</body>', `${script}\n</body>`))
}

/** The pages contain nothing of sources. Their search loads its index as a script, and the widget may be elsewhere. */
function policyOf(sdkUrl: string | null): string {
  const from = sdkUrl === null ? "'self'" : `'self' ${new URL(sdkUrl).origin}`
  const rest = "style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  return `default-src 'none'; script-src ${from}; connect-src ${from}; ${rest}`
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
