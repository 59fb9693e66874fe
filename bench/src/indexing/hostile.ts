import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { startHostileSite } from '../../../server/test/support/sites/hostile-site.ts'
import { craftDescriptions } from './crafted-descriptions.ts'
import { connect, type DocentClient } from '#service/docent-client.ts'
import { untilDone } from './index-site.ts'
import { type ServiceProcess, startService } from '#service/start-service.ts'
import { UsageError } from '#lib/usage-error.ts'
import { watchPss } from './watch-pss.ts'

const QUERIES = ['configuration options', 'how to handle errors', 'getting started', 'plugin hooks']
const PAUSE_MS = 10
const LOOK_EVERY_MS = 250
/** Time limit of one trap; slower ones are not measured further. */
const MOST_MS = 60_000
/** Duration of searches and health checks without a trap, as a baseline. */
const ALONE_MS = 10_000

type Percentiles = { count: number; p50: number; p99: number; most: number }
type Trap = { name: string; url: string; type: 'docs' | 'api' }
type Sprung = { seconds: number; status: string; healthMs: Percentiles; searchMs: Percentiles; treeMb: number }

/**
 * Impact of hostile sources on others: `npm run bench -- hostile --site URL [--traps FOLDER] [--only NAME,…]`. The
 * folder has the `server.mjs` of a site of traps. Each trap is crawled alone while `/healthz` and searches of another
 * server are measured. `treeMb` is the peak proportional share (PSS) of the service and all its child processes. Then
 * the site is crawled again, alone (with the same measurements) and beside one trap at a time.
 */
export async function run(args: string[]): Promise<Record<string, unknown>> {
  const options = { site: { type: 'string' }, traps: { type: 'string' }, only: { type: 'string' } } as const
  const { site, traps: folder, only } = parseArgs({ args, options }).values
  if (!site) throw new UsageError('Name the site with --site URL.')
  await using stack = new AsyncDisposableStack()
  const service = stack.use(await startService())
  const client = connect(service)
  const all = await gatherTraps(folder, stack)
  const names = only?.split(',')
  const traps = names ? all.filter(({ name }) => names.includes(name)) : all
  const { slug } = await crawl(client, site)
  const others = { service, client, slug }
  const alone = await beside(others, sleep(ALONE_MS))
  const sprung: Record<string, Sprung> = {}
  for (const trap of traps) sprung[trap.name] = await spring(others, trap)
  const honest = await crawlHonest(others, site, traps)
  const { result: _, ...withoutTraps } = alone
  return { withoutTraps, traps: sprung, honest, worst: worstOf(Object.values(sprung)) }
}

/** Built-in traps, those of a folder, and large descriptions, each on a site in a separate thread or process. */
async function gatherTraps(folder: string | undefined, stack: AsyncDisposableStack): Promise<Trap[]> {
  const worker = new Worker(new URL('./trap-site-worker.ts', import.meta.url))
  stack.defer(async () => void (await worker.terminate()))
  const [own] = (await once(worker, 'message')) as [{ url: string; traps: string[] }]
  const traps: Trap[] = own.traps.map((name) => ({ name, url: `${own.url}/${name}/`, type: 'docs' }))
  const descriptions = craftDescriptions()
  const server = createServer(({ url = '' }, response) => response.end(descriptions[url.slice(1)])).listen(
    0,
    '127.0.0.1',
  )
  await once(server, 'listening')
  stack.defer(() => server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  for (const name of Object.keys(descriptions))
    traps.push({ name, url: `http://127.0.0.1:${port}/${name}`, type: 'api' })
  if (folder === undefined) return traps
  const hostile = await startHostileSite(folder)
  stack.defer(() => void hostile.process.kill())
  const further = (await (await fetch(`${hostile.url}/__list`)).json()) as string[]
  return [...traps, ...further.map((name) => ({ name, url: `${hostile.url}/${name}/`, type: 'docs' as const }))]
}

type Others = { service: ServiceProcess; client: DocentClient; slug: string }

async function spring(others: Others, { name, url, type }: Trap): Promise<Sprung> {
  const { serverId, slug } = await create(others.service, { name, url, type })
  const started = performance.now()
  let status = 'crawling'
  const ended = async () => {
    while (status === 'crawling' && performance.now() - started < MOST_MS) {
      await sleep(LOOK_EVERY_MS)
      ;({ status } = await others.client.getProgress(slug))
    }
    return performance.now() - started
  }
  const { result, ...measured } = await beside(others, ended())
  await remove(others.service, serverId)
  return { seconds: Math.round(result / 100) / 10, status, ...measured }
}

async function request({ url, key }: ServiceProcess, method: string, path: string, body?: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await fetch(url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
  return response.json().catch(() => null)
}

async function create(service: ServiceProcess, { name, url, type }: Trap) {
  const body = { name, sources: [{ url, type }] }
  return (await request(service, 'POST', '/api/mcp/create', body)) as { serverId: string; slug: string }
}

async function remove(service: ServiceProcess, serverId: string): Promise<void> {
  await request(service, 'DELETE', `/api/mcp/${serverId}`)
}

/** Crawls the honest site alone, and beside the traps: one at a time, from the first one again after the last. */
async function crawlHonest(others: Others, site: string, traps: readonly Trap[]) {
  const { service, client } = others
  const { result: alone, ...measured } = await beside(others, crawl(client, site))
  const over = new AbortController()
  const springAll = async () => {
    for (let sprung = 0; ; sprung++) {
      const trap = traps[sprung % traps.length]
      if (!trap || over.signal.aborted) return sprung
      const { serverId, slug } = await create(service, trap)
      while (!over.signal.aborted && (await client.getProgress(slug)).status === 'crawling') await sleep(LOOK_EVERY_MS)
      await remove(service, serverId)
    }
  }
  const springing = springAll()
  const { seconds: withTraps } = await crawl(client, site).finally(() => over.abort())
  return { ...measured, aloneSeconds: alone.seconds, withTrapsSeconds: withTraps, trapsSprung: await springing }
}

async function crawl(client: DocentClient, url: string): Promise<{ slug: string; seconds: number }> {
  const started = performance.now()
  const { serverId, slug } = await client.createServer(url)
  await untilDone(client, serverId)
  return { slug, seconds: Math.round(performance.now() - started) / 1000 }
}

/** Runs sequential searches and health checks and samples memory during `work`. */
async function beside<T>({ service, client, slug }: Others, work: Promise<T>) {
  const over = new AbortController()
  const working = work.finally(() => over.abort())
  const memory = watchPss(service.pid)
  const [healthMs, searchMs] = await Promise.all([
    repeat(over.signal, async () => (await fetch(`${service.url}/healthz`)).arrayBuffer()),
    repeat(over.signal, (count) => client.search(slug, QUERIES[count % QUERIES.length] ?? '')),
  ])
  return { result: await working, healthMs, searchMs, treeMb: await memory.stop() }
}

async function repeat(until: AbortSignal, once: (count: number) => Promise<unknown>): Promise<Percentiles> {
  const times: number[] = []
  while (!until.aborted) {
    const started = performance.now()
    await once(times.length)
    times.push(performance.now() - started)
    await sleep(PAUSE_MS)
  }
  times.sort((a, b) => a - b)
  const at = (part: number) =>
    Math.round(10 * (times[Math.min(times.length - 1, Math.floor(part * times.length))] ?? 0)) / 10
  return { count: times.length, p50: at(0.5), p99: at(0.99), most: at(1) }
}

function worstOf(sprung: readonly Sprung[]) {
  const most = (of: (one: Sprung) => number) => Math.max(0, ...sprung.map(of))
  return {
    healthP99Ms: most(({ healthMs }) => healthMs.p99),
    searchP99Ms: most(({ searchMs }) => searchMs.p99),
    treeMb: most(({ treeMb }) => treeMb),
    seconds: most(({ seconds }) => seconds),
  }
}
