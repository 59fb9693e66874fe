import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A page of a test site: its HTML, or a request handler. */
export type Page = string | ((request: IncomingMessage, response: ServerResponse) => void)

export type Site = AsyncDisposable & {
  url: string
  pages: Map<string, Page>
  /** Requested paths in order, with the status of each answer. */
  requests: { path: string; status: number }[]
  /** If false, every page is sent in full on every request. */
  etags: boolean
}

/** A site on loopback with the given pages and ETags. */
export async function startSite(pages: Record<string, Page>): Promise<Site> {
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    response.on('finish', () => site.requests.push({ path, status: response.statusCode }))
    const page = site.pages.get(path)
    if (typeof page === 'function') return page(request, response)
    if (page === undefined) return void response.writeHead(404).end('Not found')
    const etag = `"${createHash('sha256').update(page).digest('hex').slice(0, 16)}"`
    if (site.etags && request.headers['if-none-match'] === etag) return void response.writeHead(304).end()
    const type = path.endsWith('.txt') ? 'text/plain' : path.endsWith('.xml') ? 'application/xml' : 'text/html'
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, ...(site.etags ? { etag } : {}) }).end(page)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const site: Site = {
    url: `http://127.0.0.1:${port}`,
    pages: new Map(Object.entries(pages)),
    requests: [],
    etags: true,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return site
}

/** A page with a title, some paragraphs and links. */
export function page(title: string, text: string, links: string[] = []): string {
  const anchors = links.map((href) => `<li><a href="${href}">More</a></li>`).join('')
  return `<!doctype html><html lang="en"><head><title>${title}</title></head>
<body><main><h1>${title}</h1><p>${text}</p><ul>${anchors}</ul></main></body></html>`
}

export const jsonPage =
  (value: unknown): Page =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
export const archivePage =
  (body: Uint8Array): Page =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': 'application/gzip' }).end(body)
