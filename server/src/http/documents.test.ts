import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { addDocuments } from './documents.ts'
import type { Bindings } from './read-request.ts'

const HTML = { accept: 'text/html,*/*;q=0.8' }
const WIDGET = '/embed/docent.js" data-configuration="cfg_1"></script>'

function open({ documentsWidget = null as string | null, sdkUrl = null as string | null, hasPages = true } = {}) {
  const app = new Hono<Bindings>({ strict: false })
  addDocuments(app, { hasPages, documentsWidget, sdkUrl, baseUrl: () => 'https://docent.example.org' })
  return (path: string, headers: Record<string, string> = HTML) => app.request(path, { headers })
}

test.each(['/docs/clients', '/docs/Clients', '/docs/clients.html'])('gives browsers the page %s', async (path) => {
  const answer = await open()(path)
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(await answer.text()).toMatch(/<title>Connect a client · Docent<\/title>[^]*href="\/servers">Dashboard/)
})

test('sends browsers from /docs to /docs/, where relative links lead to pages', async () => {
  const moved = await open()('/docs')
  expect([moved.status, moved.headers.get('location')]).toEqual([302, '/docs/'])
  expect(await (await open()('/docs/')).text()).toContain('href="clients.html"')
})

test.each(['/docs', '/docs/clients', '/docs/clients.md'])('gives programs the Markdown of %s', async (path) => {
  const answer = await open()(path, { accept: '*/*' })
  expect([answer.status, (await answer.text()).slice(0, 2)]).toEqual([200, '# '])
})

test('gives browsers Markdown for addresses with its ending, and where there are no pages', async () => {
  expect((await (await open()('/docs/clients.md')).text()).slice(0, 2)).toBe('# ')
  expect((await (await open({ hasPages: false })('/docs/clients')).text()).slice(0, 2)).toBe('# ')
})

test.each([
  ['/docs/assets/site.css', 'text/css; charset=utf-8'],
  ['/docs/assets/search-index.js', 'text/javascript; charset=utf-8'],
  ['/docs/files/docs/images/overview.png', 'image/png'],
  ['/docs/files/LICENSE', 'text/plain; charset=utf-8'],
])('sends %s, which pages load or link to', async (path, type) => {
  const answer = await open()(path, { accept: '*/*' })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type])
})

test.each(['/docs/nothing', '/docs/assets', '/docs/.built', '/docs/..%2fpackage.json', '/docs/%2e%2e/package.json'])(
  'answers 404 for %s',
  async (path) => expect((await open()(path)).status).toBe(404),
)

test('adds the widget of the setting, and lets the page load it', async () => {
  const without = await (await open()('/docs/')).text()
  expect(without).not.toContain('data-configuration')
  expect(without).toContain('<code>DOCENT_DOCS_WIDGET</code>')
  const own = await open({ documentsWidget: 'cfg_1' })('/docs/')
  expect(await own.text()).toContain(`src="${WIDGET}`)
  expect(own.headers.get('content-security-policy')).toContain("script-src 'self'; connect-src 'self';")
  const elsewhere = await open({ documentsWidget: 'cfg_1', sdkUrl: 'https://sdk.example.org' })('/docs/')
  expect(await elsewhere.text()).toContain(`src="https://sdk.example.org${WIDGET}`)
  expect(elsewhere.headers.get('content-security-policy')).toContain("script-src 'self' https://sdk.example.org;")
})
