import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Words of a page, so that indexing one is work. */
const TEXT = 'The quick configuration of every endpoint depends on the options that its service reads. '.repeat(60)

export type SlowSite = AsyncDisposable & {
  url: string
  /** Answers nothing any more: whoever asks waits. */
  hold(): void
}

/** A site without end, in which every page leads to others. */
export async function startSlowSite(): Promise<SlowSite> {
  let held = false
  const server = createServer((request, response) => {
    if (held) return
    const path = request.url ?? '/'
    if (path === '/robots.txt' || path.endsWith('.txt') || path.endsWith('.xml')) {
      response.writeHead(404).end()
      return
    }
    const n = Number(/\d+/.exec(path)?.[0] ?? 0)
    const links = [1, 2, 3].map((step) => `<a href="/page-${n * 3 + step}/">Page ${n * 3 + step}</a>`).join(' ')
    const body = `<h1>Page ${n}</h1><p>${TEXT}</p><h2>Section of ${n}</h2><p>${TEXT}</p><nav>${links}</nav><p>${links}</p>`
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(`<!doctype html><html lang="en"><title>Page ${n}</title><main>${body}</main></html>`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    hold: () => {
      held = true
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
