import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

/** Words of a page, so that indexing takes time. */
const TEXT = 'The quick configuration of every endpoint depends on the options that its service reads. '.repeat(60)

let held = false
const { latencyMs } = workerData as { latencyMs: number }
const server = createServer((request, response) => {
  if (held) return
  const path = request.url ?? '/'
  if (path.endsWith('.txt') || path.endsWith('.xml')) {
    response.writeHead(404).end()
    return
  }
  const n = Number(/\d+/.exec(path)?.[0] ?? 0)
  const links = [1, 2, 3].map((step) => `<a href="/page-${n * 3 + step}/">Page ${n * 3 + step}</a>`).join(' ')
  const body = `<h1>Page ${n}</h1><p>${TEXT}</p><h2>Section of ${n}</h2><p>${TEXT}</p><p>${links}</p>`
  const page = `<!doctype html><html lang="en"><title>Page ${n}</title><main>${body}</main></html>`
  setTimeout(() => response.writeHead(200, { 'content-type': 'text/html' }).end(page), latencyMs)
})
parentPort?.on('message', () => {
  held = true
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
parentPort?.postMessage((server.address() as AddressInfo).port)
