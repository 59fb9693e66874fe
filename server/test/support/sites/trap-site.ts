import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { TRAP_TEXTS, randomTexts } from './page-texts.ts'
import { page } from './site.ts'

type Request = { path: string; url: string; response: ServerResponse }

const same = 'Every page of this part of the site says one and the same thing about widgets, at some length.'
const random = () => Math.random().toString(36).slice(2)
const links = (count: number) => Array.from({ length: count }, () => random())
const html = (response: ServerResponse, text: string) =>
  void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(text)
const made = (text: () => string, fan: number) => (request: Request) =>
  html(request.response, page(text().slice(0, 20), text(), links(fan)))
const empty = `<!doctype html><title></title><body>`

/** A gzipped sitemap with entries of `length` characters each. */
function zippedSitemap(url: string, entries: number, length: number): Buffer {
  const entry = () => `<url><loc>${`${url}/${random()}-`.padEnd(length, 'x')}</loc></url>`
  return gzipSync(`<urlset>${Array.from({ length: entries }, entry).join('')}</urlset>`, { level: 1 })
}

/** Sites that generate endless pages or addresses. Each begins at `/<name>/`. */
const TRAPS: Record<string, (request: Request) => void> = {
  'random-letters': made(randomTexts('letters'), 3),
  'random-words': made(randomTexts('list of 2000'), 3),
  'random-few-words': made(randomTexts('list of 200'), 10),
  'random-soft404': made(TRAP_TEXTS['words with digits'] ?? random, 10),
  'random-dates': made(TRAP_TEXTS['ISO dates'] ?? random, 10),
  'random-template': made(randomTexts('template'), 50),
  'same-shape': ({ response }) => html(response, page(random(), same, links(200))),
  duplicates: ({ response }) => html(response, page('Widgets', same, links(20))),
  empty: ({ response }) =>
    html(
      response,
      empty +
        links(20)
          .map((link) => `<a href="${link}"></a>`)
          .join(''),
    ),
  'not-found': ({ path, response }) =>
    path === '/not-found/'
      ? html(response, page('Start', same, links(5_000)))
      : void response.writeHead(404, { 'content-type': 'text/html' }).end(),
  redirects: ({ path, response }) =>
    path.endsWith('/')
      ? html(response, page('Start', same, links(5_000)))
      : void response.writeHead(302, { location: './' }).end(),
  noindex: ({ response }) =>
    html(response, `<meta name="robots" content="noindex">${page(random(), random(), links(20))}`),
  'long-links': ({ response }) =>
    html(
      response,
      page(
        random(),
        same,
        links(500).map((link) => link.padEnd(7_900, 'x')),
      ),
    ),
  'long-base': ({ response }) =>
    html(response, `<base href="/long-base/${'x'.repeat(1_900)}/">${page(random(), same, links(1_000))}`),
  'long-sitemap': ({ path, url, response }) => {
    if (path.endsWith('.gz')) {
      const length = path.includes('longest') ? 7_900 : 1_900
      return void response.writeHead(200).end(zippedSitemap(url, 2_500, length))
    }
    if (!path.endsWith('.xml')) return html(response, page('Start', same))
    const maps = Array.from({ length: 50 }, (_, at) => `${url}/${at % 2 ? 'long' : 'longest'}-${at}.xml.gz`)
    return void response.end(
      `<sitemapindex>${maps.map((loc) => `<sitemap><loc>${loc}</loc></sitemap>`).join('')}</sitemapindex>`,
    )
  },
  'big-gzip': ({ path, response }) => {
    if (path.endsWith('.xml')) return void response.writeHead(404).end()
    const body = bigPage()
    const head = { 'content-type': 'text/html', 'content-encoding': 'gzip' }
    response.writeHead(200, head).end(body)
  },
  'large-headers': ({ response }) => {
    const head = { 'content-type': 'text/html', etag: `"${'x'.repeat(12_000)}"` }
    response.writeHead(200, head).end(page(random(), randomTexts('letters')(), links(20)))
  },
}

/** 4.5 MB of blanks and a few links in some kilobytes. */
const bigPage = () => gzipSync(page(random(), same + ' '.repeat(4_500_000), links(20)), { level: 1 })

export type TrapSite = AsyncDisposable & { url: string; traps: string[] }

/** Starts a site of traps on loopback. The robots.txt of each only names its sitemap. */
export async function startTrapSite(): Promise<TrapSite> {
  const server = createServer((request: IncomingMessage, response) => {
    const path = request.url ?? '/'
    const [, name = ''] = path.split('/', 2)
    const { port } = server.address() as AddressInfo
    const url = `http://127.0.0.1:${port}/${name}`
    const trap = TRAPS[name]
    if (trap) trap({ path, url, response })
    else response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    traps: Object.keys(TRAPS),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
