import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import type { Context, Hono } from 'hono'
import type { OperationId } from '@docent/contract/operations'
import { DocentError } from '#errors.ts'
import { ROOT } from '#lib/place.ts'
import { acceptsEncoding } from './send-answer.ts'
import type { Bindings } from './read-request.ts'

/** A file of the dashboard in the encodings in which it can be sent. */
export type Asset = { type: string; etag: string; plain: Bytes; gzip: Bytes | null; br: Bytes | null }
type Bytes = Uint8Array<ArrayBuffer>

/** A query: its operation, and its path with `:name` for parts of the screen's path. */
type Read = readonly [id: OperationId, path: string]

/** The queries that the person of a request may make. Null without a session. */
export type MayRead = ((id: OperationId) => boolean) | null
type Deps = { dashboard: Dashboard; mayRead: (c: Context<Bindings>) => Promise<MayRead> }

/** What pages of the dashboard need at once. Its build writes this file: `dashboard/page-resources.ts`. */
export type PageResources = {
  fonts: readonly string[]
  /** Paths that lead to an account. */
  front: readonly string[]
  /** Queries without a session, and with one on every page. */
  frontReads: readonly Read[]
  sessionReads: readonly Read[]
  screens: readonly Screen[]
}

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
  '.json': 'application/json',
  '.md': 'text/plain; charset=utf-8',
  '.png': 'image/png',
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

export const PAGE_HEADERS = {
  'cache-control': 'no-cache',
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  vary: 'Accept, Accept-Encoding, Cookie',
}
const ASSET_HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
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
export function addDashboard(app: Hono<Bindings>, deps: Deps): void {
  const { resources, assets } = deps.dashboard
  const answerPage = (c: Context<Bindings>) => (acceptsHtml(c) ? sendPage(c, deps) : c.notFound())
  const firstNames = new Set([...resources.front, ...resources.screens.map(({ path }) => path)].map(firstName))
  for (const name of firstNames)
    for (const path of name === '/' ? ['/'] : [name, `${name}/*`]) app.get(path, answerPage)
  app.get('/assets/:name', (c) => {
    const asset = assets.get(`/assets/${c.req.param('name')}`)
    return asset ? send(c, asset, ASSET_HEADERS) : c.notFound()
  })
}

/** Sends the page with links to what the screen of the address needs. Its script says so if there is no screen. */
export async function sendPage(
  c: Context<Bindings>,
  { dashboard: { page, resources }, mayRead }: Deps,
  status: 200 | 404 = 200,
): Promise<Response> {
  const { pathname, search } = new URL(c.req.url)
  const path = pathname.replace(/(?<=.)\/$/, '')
  const links = linksFor(resources, { path, hasQuery: search !== '', mayRead: await mayRead(c) })
  return send(c, assetOf(new TextEncoder().encode(page.join(links)), '.html'), PAGE_HEADERS, status)
}

const firstName = (path: string): string => `/${path.split('/')[1] ?? ''}`

/** Browsers ask for HTML explicitly. Other clients get the same 404 as at any unknown address. */
export function acceptsHtml(c: Context<Bindings>): boolean {
  return /\btext\/html\b/i.test(c.req.header('accept') ?? '')
}

/** Sends a file in the best encoding that the client accepts. */
export function send(
  c: Context<Bindings>,
  asset: Asset,
  headers: Record<string, string>,
  status: 200 | 404 = 200,
): Response {
  const { type, etag } = asset
  if (status === 200 && c.req.header('if-none-match')?.includes(etag)) return c.body(null, 304, { ...headers, etag })
  const accepted = c.req.header('accept-encoding')
  const encoding = (['br', 'gzip'] as const).find((name) => asset[name] && acceptsEncoding(accepted, name))
  const bytes = (encoding && asset[encoding]) ?? asset.plain
  return c.body(bytes, status, {
    ...headers,
    etag,
    'content-type': type,
    'content-length': String(bytes.byteLength),
    ...(encoding ? { 'content-encoding': encoding } : {}),
  })
}

function readAsset(folder: URL, name: string): Asset {
  const read = (file: URL) => new Uint8Array(readFileSync(file))
  const packed = (extension: string): Bytes | null => {
    const file = new URL(`${name}.${extension}`, folder)
    return existsSync(file) ? read(file) : null
  }
  const plain = read(new URL(name, folder))
  return { ...assetOf(plain, extname(name)), gzip: packed('gz'), br: packed('br') }
}

/** A file that is sent as it is. Its extension says its type. */
export function assetOf(plain: Bytes, extension: string): Asset {
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  return { type: TYPES[extension] ?? TYPES['.md'] ?? '', etag, plain, gzip: null, br: null }
}

type Screen = {
  /** With `:name` for a part that differs. */
  path: string
  scripts: readonly string[]
  reads: readonly Read[]
  /** Queries without filters: only for an address without a query. */
  plainReads: readonly Read[]
}

type Place = { path: string; hasQuery: boolean; mayRead: MayRead }

/** Links for the head of a page, in the order in which it needs the files. A text can be read without fonts. */
export function linksFor(resources: PageResources, { path, hasQuery, mayRead }: Place): string {
  const { fonts, front, frontReads, sessionReads, screens } = resources
  const wanted = front.includes(path) ? screens[0]?.path : path
  const [screen, values] = findScreen(screens, wanted ?? path)
  const scripts = mayRead && screen ? screen.scripts : []
  // Nothing shows without the session. The rest of every page can come after the screen.
  const own = [...sessionReads.slice(0, 1), ...readsOf(screen, hasQuery), ...sessionReads.slice(1)]
  const reads = mayRead ? own.filter(([id]) => mayRead(id)) : frontReads
  const links = [
    ...scripts.map((href) => `<link rel="modulepreload" crossorigin href="${href}" />`),
    ...reads.map(([, read]) => `<link rel="preload" as="fetch" crossorigin href="${filled(read, values)}" />`),
    ...fonts.map((href) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="${href}" />`),
  ]
  return links.map((link) => `    ${link}\n`).join('')
}

const readsOf = (screen: Screen | null, hasQuery: boolean): readonly Read[] =>
  screen ? [...screen.reads, ...(hasQuery ? [] : screen.plainReads)] : []

function findScreen(screens: readonly Screen[], path: string): readonly [Screen | null, ReadonlyMap<string, string>] {
  const parts = path.split('/')
  for (const screen of screens) {
    const names = screen.path.split('/')
    if (names.length !== parts.length) continue
    const pairs = names.map((name, index) => [name, parts[index] ?? ''] as const)
    if (!pairs.every(([name, part]) => name === part || (name.startsWith(':') && part !== ''))) continue
    return [screen, new Map(pairs.filter(([name]) => name.startsWith(':')))]
  }
  return [null, new Map()]
}

/** Percent encoding leaves no character that has a meaning in an attribute. */
const filled = (read: string, values: ReadonlyMap<string, string>): string =>
  read.replaceAll(/:\w+/g, (name) => encodeURIComponent(values.get(name) ?? '')).replaceAll('&', '&amp;')

/** Folder of the built widget. `scripts/build.mjs` fills it. */
const FOLDER = new URL('dist/widget/', ROOT)

const WIDGET_HEADERS = {
  // Pages load it often, and a new version should reach them within the hour.
  'cache-control': 'public, max-age=3600',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  vary: 'Accept-Encoding',
}

/** Creates the answer to `GET /embed/docent.js`. Throws `503 widget_not_built`. */
export function createWidgetScript(): (c: Context<Bindings>) => Response {
  let script: Asset | undefined
  return (c) => {
    if (!script && !existsSync(new URL('docent.js', FOLDER))) throw new DocentError('widget_not_built')
    return send(c, (script ??= readAsset(FOLDER, 'docent.js')), WIDGET_HEADERS)
  }
}
