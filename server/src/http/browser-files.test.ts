import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Bindings } from './read-request.ts'
import { addDashboard, readDashboard, type PageResources } from './browser-files.ts'

const HTML = { accept: 'text/html,*/*;q=0.8' }
let folder = ''
const write = (name: string, content: string | Uint8Array) => writeFileSync(join(folder, name), content)
const url = () => pathToFileURL(`${folder}/`)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docent-dashboard-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const RESOURCES: PageResources = {
  fonts: [],
  front: ['/', '/setup'],
  frontReads: [['setup.get', '/api/setup']],
  sessionReads: [['sessions.list', '/api/sessions']],
  screens: [
    { path: '/servers', scripts: ['/assets/main-1.js'], reads: [], plainReads: [] },
    { path: '/servers/:slug/playground', scripts: [], reads: [['servers.get', '/api/mcp/:slug']], plainReads: [] },
  ],
}

function build(): Hono<Bindings> {
  mkdirSync(join(folder, 'assets'))
  write('index.html', '<head><title>Docent</title></head>')
  write('page-resources.json', JSON.stringify(RESOURCES))
  write('assets/main-1.js', 'run()')
  write('assets/main-1.js.gz', gzipSync('run()'))
  write('assets/notes.txt', 'no file of the dashboard')
  const app = new Hono<Bindings>()
  const dashboard = readDashboard(url())
  if (!dashboard) throw new Error('there is no dashboard')
  addDashboard(app, { dashboard, mayRead: async (c) => (c.req.header('cookie') ? () => true : null) })
  return app
}

test('serves no dashboard without a build', () => {
  expect(readDashboard(url())).toBeNull()
})

test.each(['/', '/servers', '/servers/my-docs/playground', '/setup'])(
  'answers browsers at %s with the page',
  async (path) => {
    const app = build()
    const answer = await app.request(path, { headers: HTML })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toMatch(/^<head><title>Docent<\/title>\s+<link [^<]+\/api\/setup[^<]+<\/head>$/)
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(answer.headers.get('cache-control')).toBe('no-cache')
    const again = await app.request(path, { headers: { ...HTML, 'if-none-match': answer.headers.get('etag') ?? '' } })
    expect(again.status).toBe(304)
    expect((await app.request(path, { headers: { accept: 'application/json' } })).status).toBe(404)
  },
)

test('begins the queries of a screen with its page, for browsers with a session', async () => {
  const headers = { ...HTML, cookie: 'docent_session=secret' }
  const answer = await build().request('/servers/my-docs/playground', { headers })
  const text = await answer.text()
  expect(text).toContain('<link rel="preload" as="fetch" crossorigin href="/api/mcp/my-docs" />')
  expect(text).not.toContain('/api/setup')
  expect(answer.headers.get('vary')).toContain('Cookie')
})

test('sends files compressed, and lets browsers keep them', async () => {
  const app = build()
  const packed = await app.request('/assets/main-1.js', { headers: { 'accept-encoding': 'gzip, br' } })
  expect(packed.headers.get('content-encoding')).toBe('gzip')
  expect(packed.headers.get('cache-control')).toContain('immutable')
  expect(packed.headers.get('vary')).toBe('Accept-Encoding')
  const plain = await app.request('/assets/main-1.js')
  expect([plain.headers.get('content-type'), await plain.text()]).toEqual(['text/javascript; charset=utf-8', 'run()'])
})

test.each(['/assets/notes.txt', '/assets/..%2findex.html', '/assets/main-1.js.gz', '/assets/'])(
  'answers 404 for %s',
  async (path) => {
    expect((await build().request(path, { headers: HTML })).status).toBe(404)
  },
)
