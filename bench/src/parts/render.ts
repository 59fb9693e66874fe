import { readFileSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { findBrowser } from '@docent/server/net/browser/browser-process.ts'
import { openRenderer } from '@docent/server/net/browser/open-renderer.ts'
import { createNetClient } from '@docent/server/net/client.ts'
import { parseNetworks } from '@docent/server/net/judge-address.ts'

/** A bundle as large as those of usual applications. */
const BUNDLE_BYTES = 400_000
const TICKS = 100

const SHELL = '<!doctype html><title>App</title><div id="root"></div><script src="/app.js"></script>'
const APP = `fetch('/api' + location.pathname).then((answer) => answer.json()).then(({ title, paragraphs }) => {
  document.title = title
  document.getElementById('root').innerHTML = '<main><h1>' + title + '</h1><p>' + paragraphs.join('</p><p>') + '</p></main>'
})
/* ${'x'.repeat(BUNDLE_BYTES)} */`

/**
 * Cost of pages that need JavaScript: `--pages N` (default 100) of a local application with a bundle of 400 kB and an
 * API, two at once, as in a crawl. The first page, which starts the browser, is reported separately.
 */
export async function run(args: string[]): Promise<Record<string, unknown>> {
  const { values } = parseArgs({ args, options: { pages: { type: 'string', default: '100' } } })
  const count = Number(values.pages)
  // eslint-disable-next-line node/no-process-env -- the browser is on the PATH
  const program = findBrowser({ wanted: '', searchPath: process.env['PATH'] ?? '' })
  if (program === null) throw new Error('There is no Chromium on PATH.')
  await using site = await startApplication()
  await using net = createNetClient({ allowNetworks: parseNetworks('127.0.0.0/8'), userAgent: 'docent-bench' })
  await using renderer = openRenderer({ program, userAgent: 'docent-bench' })
  const render = async (n: number) => {
    const { html } = await renderer.render(`${site.url}/page-${n}`, net, new AbortController().signal)
    if (!html.includes(`<h1>Page ${n}</h1>`)) throw new Error(`Page ${n} was not rendered: ${html.slice(0, 200)}`)
  }
  const started = performance.now()
  await render(0)
  const firstMs = performance.now() - started
  const before = browserCpuMs()
  const ownBefore = process.cpuUsage()
  const begun = performance.now()
  await Promise.all(Array.from({ length: count }, (_, n) => render(n)))
  const seconds = (performance.now() - begun) / 1_000
  const own = process.cpuUsage(ownBefore)
  return {
    pages: count,
    firstPageMs: Math.round(firstMs),
    pagesPerSecond: Number((count / seconds).toFixed(1)),
    browserCpuMsPerPage: Math.round((browserCpuMs() - before) / count),
    serviceCpuMsPerPage: Number(((own.user + own.system) / 1_000 / count).toFixed(1)),
    browserMb: Math.round(browserBytes() / 1e6),
  }
}

function answerTo(path: string): { type: string; body: string } {
  if (path === '/app.js') return { type: 'text/javascript', body: APP }
  if (!path.startsWith('/api/')) return { type: 'text/html', body: SHELL }
  const title = `Page ${path.replace('/api/page-', '')}`
  const sentence = `${title} says what there is to say. `.repeat(4)
  const paragraphs = Array.from({ length: 30 }, (_, n) => `Paragraph ${n}. ${sentence}`)
  return { type: 'application/json', body: JSON.stringify({ title, paragraphs }) }
}

async function startApplication() {
  const server = createServer((request, response) => {
    const { type, body } = answerTo(request.url ?? '/')
    response.writeHead(200, { 'content-type': type }).end(body)
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Status fields of the browser's processes: all process groups that descend from this process. Linux only. */
function browserProcesses(): string[][] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
        return [pid, ...text.slice(text.lastIndexOf(')') + 2).split(' ')]
      } catch {
        // It exited in between.
        return []
      }
    })
  const leaders = new Set(
    all.filter(([pid, , parent, group]) => parent === String(process.pid) && pid === group).map(([pid]) => pid),
  )
  return all.filter(([, , , group]) => leaders.has(group))
}

/** CPU time of the browser's processes and their ended children. */
function browserCpuMs(): number {
  const ticks = browserProcesses().reduce(
    (sum, fields) => sum + [12, 13, 14, 15].reduce((part, at) => part + Number(fields[at] ?? 0), 0),
    0,
  )
  return (ticks * 1_000) / TICKS
}

/** Resident memory, with shared memory counted once per process. */
function browserBytes(): number {
  return browserProcesses().reduce((sum, fields) => sum + Number(fields[22] ?? 0) * 4_096, 0)
}
