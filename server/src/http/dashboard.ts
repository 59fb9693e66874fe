import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import type { Context, Hono } from 'hono'
import { acceptsEncoding } from './accepts-encoding.ts'
import type { Bindings } from './bindings.ts'
import { type PageResources, linksFor } from './page-resources.ts'
import { readSessionCookie } from './read-visitor.ts'

/** A file of the dashboard in the encodings in which it can be sent. */
type Asset = { type: string; etag: string; plain: Bytes; gzip: Bytes | null; br: Bytes | null }
type Bytes = Uint8Array<ArrayBuffer>

export type Dashboard = {
  /** The only HTML page, up to the end of its head, and from there. Its script shows the screen of the address. */
  page: readonly [head: string, rest: string]
  resources: PageResources
  /** By path, such as `/assets/main-BHcZ1f2e.js`. Their names change with their content. */
  assets: ReadonlyMap<string, Asset>
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** Everything comes from this service. Scripts cannot make HTML of text: texts of sources are shown as text only. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const PAGE_HEADERS = {
  'cache-control': 'no-cache',
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  vary: 'Accept, Accept-Encoding, Cookie',
}
const ASSET_HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
  vary: 'Accept-Encoding',
}

/** Reads the built dashboard into memory, about 400 kB. Null if it was not built. */
export function readDashboard(folder: URL): Dashboard | null {
  if (!existsSync(new URL('index.html', folder))) return null
  const text = (name: string) => readFileSync(new URL(name, folder), 'utf8')
  const [head, rest] = text('index.html').split(END_OF_HEAD)
  if (head === undefined || rest === undefined) throw new Error('The page of the dashboard has no head.')
  const names = readdirSync(new URL('assets/', folder)).filter((name) => TYPES[extname(name)])
  return {
    page: [head, END_OF_HEAD + rest],
    resources: JSON.parse(text('page-resources.json')) as PageResources,
    assets: new Map(names.map((name) => [`/assets/${name}`, readAsset(folder, `assets/${name}`)])),
  }
}

const END_OF_HEAD = '</head>'

/** Adds the routes of the dashboard: its page at the address of each screen, and its files. */
export function addDashboard(app: Hono<Bindings>, { page, resources, assets }: Dashboard, baseUrl: () => string): void {
  const answerPage = (c: Context<Bindings>) => {
    if (!acceptsHtml(c)) return c.notFound()
    const { pathname, search } = new URL(c.req.url)
    const path = pathname.replace(/(?<=.)\/$/, '')
    const hasSession = readSessionCookie(c, baseUrl()) !== null
    const links = linksFor(resources, { path, hasQuery: search !== '', hasSession })
    return send(c, pageAsset(page.join(links)), PAGE_HEADERS)
  }
  const firstNames = new Set([...resources.front, ...resources.screens.map(({ path }) => path)].map(firstName))
  for (const name of firstNames)
    for (const path of name === '/' ? ['/'] : [name, `${name}/*`]) app.get(path, answerPage)
  app.get('/assets/:name', (c) => {
    const asset = assets.get(`/assets/${c.req.param('name')}`)
    return asset ? send(c, asset, ASSET_HEADERS) : c.notFound()
  })
}

const firstName = (path: string): string => `/${path.split('/')[1] ?? ''}`

/** Browsers ask for HTML explicitly. Other clients get the same 404 as at any unknown address. */
export function acceptsHtml(c: Context<Bindings>): boolean {
  return /\btext\/html\b/i.test(c.req.header('accept') ?? '')
}

function send(c: Context<Bindings>, asset: Asset, headers: Record<string, string>): Response {
  const { type, etag } = asset
  if (c.req.header('if-none-match') === etag) return c.body(null, 304, { ...headers, etag })
  const accepted = c.req.header('accept-encoding')
  const encoding = (['br', 'gzip'] as const).find((name) => asset[name] && acceptsEncoding(accepted, name))
  const bytes = (encoding && asset[encoding]) ?? asset.plain
  return c.body(bytes, 200, {
    ...headers,
    etag,
    'content-type': type,
    'content-length': String(bytes.byteLength),
    ...(encoding ? { 'content-encoding': encoding } : {}),
  })
}

function pageAsset(html: string): Asset {
  const plain = new TextEncoder().encode(html)
  return { type: typeOf('.html'), etag: etagOf(plain), plain, gzip: null, br: null }
}

function readAsset(folder: URL, name: string): Asset {
  const plain = new Uint8Array(readFileSync(new URL(name, folder)))
  const packed = (extension: string): Bytes | null => {
    const file = new URL(`${name}.${extension}`, folder)
    return existsSync(file) ? new Uint8Array(readFileSync(file)) : null
  }
  return { type: typeOf(extname(name)), etag: etagOf(plain), plain, gzip: packed('gz'), br: packed('br') }
}

const typeOf = (extension: string): string => TYPES[extension] ?? ''

const etagOf = (bytes: Bytes): string => `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
