import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { percentiles } from '#lib/median.ts'
import { costOfAccountEndpoint } from './account-endpoint.ts'
import { addManyServers } from './many-servers.ts'
import { cpuMs } from '#service/read-process.ts'
import { type SlowSite, startSlowSite } from './slow-site.ts'
import { type ServiceProcess, startService } from '#service/start-service.ts'

/** Sources that the service indexes at once. As many without an answer block its worker. */
const JOBS_AT_ONCE = 3
const WARM_UP = 50
const LISTS = 10
/** Latency of a site in the same region. */
const LATENCY_MS = 20

/**
 * Cost of the management interface: `npm run bench -- management [--servers 10000] [--reads 3000]`. With that many
 * servers of one account in the store, measures sequential reads, idle and during a crawl of an endless site; the list
 * of all servers, and the delay of other requests beside it; the CPU time of a create; and on a service with few
 * servers, that of their list by REST and by MCP.
 */
export async function run(args: string[]): Promise<Record<string, unknown>> {
  const options = { servers: { type: 'string', default: '10000' }, reads: { type: 'string', default: '3000' } } as const
  const { values } = parseArgs({ args, options })
  const [servers, reads] = [Number(values.servers), Number(values.reads)]
  await using site = await startSlowSite(LATENCY_MS)
  await using service = await startService({ prepare: (dataDir) => addManyServers(dataDir, servers) })
  const api = connect(service)
  const quiet = await timeReads(api, reads, servers)
  const list = await timeList(service, api)
  const besideList = await timeBesideLists(service)
  const { crawl, pages } = await duringCrawl(api, site, () => timeReads(api, reads, servers))
  site.hold()
  const createCpuMs = await costOfCreate(service, api, site)
  const listOfFewCpuMs = await costOfAccountEndpoint()
  return {
    servers,
    reads,
    quietMs: quiet,
    crawlingMs: crawl,
    pagesIndexedMeanwhile: pages,
    listMs: list,
    besideListMs: besideList,
    createCpuMs,
    listOfFewCpuMs,
  }
}

type Created = { serverId: string }
type Detail = { sources: { pagesIndexed: number }[] }
type Api = <T>(method: string, path: string, body?: object) => Promise<T>

function connect({ url, key }: ServiceProcess): Api {
  return async (method, path, body) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const response = await fetch(url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as never
  }
}

/** Reads of single servers spread over the store. */
const READS: readonly ((slug: string) => string)[] = [
  (slug) => `/api/mcp/${slug}`,
  (slug) => `/api/mcp/${slug}/crawl-next`,
  (slug) => `/api/mcp/${slug}/tools`,
  (slug) => `/api/analytics/${slug}/summary`,
  () => '/api/account/entitlements',
]

async function timeReads(api: Api, reads: number, servers: number) {
  const path = (n: number) => READS[n % READS.length]?.(`server-${(n * 7919) % servers}`) ?? ''
  for (let n = 0; n < WARM_UP; n++) await api('GET', path(n))
  const times: number[] = []
  for (let n = 0; n < reads; n++) {
    const started = performance.now()
    await api('GET', path(n))
    times.push(performance.now() - started)
  }
  return percentiles(times)
}

async function timeList({ pid }: ServiceProcess, api: Api) {
  const times: number[] = []
  const before = cpuMs(pid)
  for (let n = 0; n < LISTS; n++) {
    const started = performance.now()
    await api('GET', '/api/mcp/list')
    times.push(performance.now() - started)
  }
  return { ...percentiles(times), cpu: round((cpuMs(pid) - before) / LISTS) }
}

/** Delay of a cheap request while lists of all servers are requested one after the other. */
async function timeBesideLists({ url, key }: ServiceProcess) {
  const times: number[] = []
  const over = new AbortController()
  const probing = (async () => {
    while (!over.signal.aborted) {
      const started = performance.now()
      await (await fetch(`${url}/healthz`)).arrayBuffer()
      times.push(performance.now() - started)
    }
  })()
  for (let list = 0; list < LISTS; list++) {
    // Not parsed: parsing would block the measurement in this process.
    await (await fetch(`${url}/api/mcp/list`, { headers: { authorization: `Bearer ${key}` } })).arrayBuffer()
  }
  over.abort()
  await probing
  return { requests: times.length, ...percentiles(times) }
}

async function duringCrawl<T>(api: Api, site: SlowSite, work: () => Promise<T>): Promise<{ crawl: T; pages: number }> {
  const { serverId } = await api<Created>('POST', '/api/mcp/create', { name: 'Crawled', sources: [{ url: site.url }] })
  const indexed = async (): Promise<number> =>
    (await api<Detail>('GET', `/api/mcp/${serverId}`)).sources[0]?.pagesIndexed ?? 0
  while ((await indexed()) < 10) await sleep(50)
  const before = await indexed()
  const crawl = await work()
  return { crawl, pages: (await indexed()) - before }
}

/** CPU time of creates alone: the worker waits for sources that do not answer. */
async function costOfCreate({ pid }: ServiceProcess, api: Api, site: SlowSite): Promise<number> {
  const create = (n: number) =>
    api('POST', '/api/mcp/create', { name: `Created ${n}`, sources: [{ url: `${site.url}created-${n}/` }] })
  for (let n = 0; n < JOBS_AT_ONCE + WARM_UP; n++) await create(n)
  await sleep(2_000)
  const [idleFrom, idleSince] = [cpuMs(pid), performance.now()]
  await sleep(2_000)
  const idle = (cpuMs(pid) - idleFrom) / (performance.now() - idleSince)
  const [before, started] = [cpuMs(pid), performance.now()]
  const creates = 300
  for (let n = 0; n < creates; n++) await create(1_000 + n)
  const wall = performance.now() - started
  return round((cpuMs(pid) - before - idle * wall) / creates)
}

const round = (value: number): number => Math.round(value * 100) / 100
