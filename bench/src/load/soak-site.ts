import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { wordAt } from '#lib/generated-site.ts'
import { type Random, seededRandom } from '#lib/typo.ts'

/** A site on a separate loopback address, so that each one is another host. */
export type SoakSite = AsyncDisposable & {
  url: string
  /** Gives every page a new text and ETag. */
  change(): void
}

const SOAK_PAGES = 60
const SECTIONS = 6
const WORDS = 80
const RANKS = 4_000
/** Loopback addresses before reuse, far above the number of sites. */
const ADDRESSES = 60_000

/** Starts site `number`: a start page and `SOAK_PAGES` generated pages. */
export async function startSoakSite(number: number): Promise<SoakSite> {
  let edition = 0
  const server = createServer((request, response) => {
    const page = pageOf(request.url ?? '/')
    const etag = `"${edition}"`
    if (page === null) response.writeHead(404).end()
    else if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end()
    else sendPage(response, etag, page === 0 ? startPage(number) : generatedPage(number, page, edition))
  })
  const at = 2 + (number % ADDRESSES)
  server.listen(0, `127.1.${Math.floor(at / 250)}.${1 + (at % 250)}`)
  await once(server, 'listening')
  const { address, port } = server.address() as AddressInfo
  return {
    url: `http://${address}:${port}/`,
    change: () => void edition++,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** 0 for the start page, null for an unknown path. */
function pageOf(path: string): number | null {
  if (path === '/') return 0
  const page = Number(/^\/page-(\d+)$/.exec(path)?.[1] ?? 0)
  return page > 0 && page <= SOAK_PAGES ? page : null
}

function sendPage(response: ServerResponse, etag: string, html: string): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', etag }).end(html)
}

function startPage(number: number): string {
  const links = Array.from({ length: SOAK_PAGES }, (_, at) => `<li><a href="/page-${at + 1}">Page ${at + 1}</a></li>`)
  return html(`Site ${number}`, `<ul>${links.join('')}</ul>`)
}

function generatedPage(number: number, page: number, edition: number): string {
  const random = seededRandom(number * 7919 + page * 104_729 + edition * 1_299_709)
  const sections = Array.from({ length: SECTIONS }, () => {
    const code = `<pre><code class="language-js">const ${word(random)} = ${word(random)}.${word(random)}()</code></pre>`
    return `<h2>${words(random, 3)}</h2><p>${words(random, WORDS)}.</p>${code}`
  })
  return html(`${words(random, 3)} ${page}`, sections.join(''))
}

function html(title: string, body: string): string {
  return `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1>${body}</main></html>`
}

/** Words of generated pages. Squaring makes the frequent ones more frequent. */
export function words(random: Random, count: number): string {
  return Array.from({ length: count }, () => word(random)).join(' ')
}

function word(random: Random): string {
  return wordAt(Math.floor((random(1_000) / 1_000) ** 2 * RANKS))
}
