import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { newId } from '@docent/server/lib/ids.ts'
import { runBuildTask } from '@docent/server/search/build-tasks.ts'
import { SEGMENT_FORMAT } from '@docent/server/search/segment/layout.ts'
import type { Store } from '@docent/server/store/db.ts'
import { openStore } from '@docent/server/store/engine/open.ts'
import { writeSegment } from '@docent/server/store/pages/segments.ts'
import { insertServer } from '@docent/server/store/servers/servers.ts'
import { insertSourceRow, newSourceRow } from '@docent/server/store/sources/sources.ts'
import { generatePage } from '#lib/generated-site.ts'
import { percentiles } from '#lib/median.ts'
import { seededRandom } from '#lib/typo.ts'
import { connect } from '#service/docent-client.ts'
import { cpuMs, residentMb } from '#service/read-process.ts'
import { type ServiceProcess, startService } from '#service/start-service.ts'
import { addPages } from './add-pages.ts'
import { driveLoad } from './drive-load.ts'

/** Pages of one build, as in a crawl. */
const PAGES_PER_BUILD = 2_000
/** Of a hundred servers, one has 30 times as many pages as the mean, ten have three times as many. */
const sizeOf = (server: number, mean: number) =>
  Math.max(1, Math.round(mean * (server % 100 === 0 ? 30 : server % 10 === 5 ? 3 : 0.45)))
/** Short pages: a long one costs twice as much to make as to index. */
const SECTIONS = 2
const COLD_SERVERS = 200
/** They are an argument of a process, which may have 128 kB. */
const CALLS = 1_000
const LISTS = 10
const IDLE_MS = 20_000

type Asked = { slug: string; query: string; url: string }

/**
 * Cost of many servers: `npm run bench -- fleet [--servers 10000] [--pages 1000000] [--clients 8] [--seconds 20]`. Their
 * pages are generated and go through the builder of segments. Traffic is skewed as in Zipf's law. Measures the start,
 * lists, cold and warm searches, memory, idle processor time, and bytes by table.
 */
export async function run(args: string[]): Promise<Record<string, unknown>> {
  const options = {
    servers: { type: 'string', default: '10000' },
    pages: { type: 'string', default: '1000000' },
    clients: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '20' },
  } as const
  const { values } = parseArgs({ args, options })
  const [servers, pages] = [Number(values.servers), Number(values.pages)]
  const made: Made = { pages: 0, buildMs: 0, segmentBytes: 0, bytesByTable: {}, questions: [] }
  await using service = await startService({
    prepare: async (dataDir) => {
      await addFleet(dataDir, { servers, pages }, made)
      made.bytesByTable = bytesByTable(dataDir)
    },
  })
  const { questions, ...built } = made
  const idleRssMb = residentMb(service.pid)
  const idleCpuMsPerMinute = await measureIdle(service)
  const listMs = await measureLists(service)
  const random = seededRandom(3)
  const cold = await measureCold(service, questions)
  const asked = Array.from({ length: CALLS }, () => questions[skewed(random, servers)]).filter(
    (one) => one !== undefined,
  )
  const warm = await driveLoad({
    urls: asked.map(({ slug }) => `${service.url}/api/mcp/${slug}`),
    queries: asked.map(({ query }) => query),
    clients: Number(values.clients),
    seconds: Number(values.seconds),
    warmSeconds: 15,
    pid: service.pid,
  })
  return {
    servers,
    ...built,
    startMs: service.readyMs,
    idleRssMb,
    idleCpuMsPerMinute,
    listMs,
    cold,
    warm,
    rssMb: residentMb(service.pid),
  }
}

/** Ranks with the frequencies of 1, 1/2, 1/3 and so on (Zipf 1949), spread over servers of all sizes. */
function skewed(random: (below: number) => number, servers: number): number {
  const rank = Math.floor(Math.exp((random(1_000_000) / 1_000_000) * Math.log(servers))) - 1
  return (rank * 7919) % servers
}

async function measureIdle({ pid }: ServiceProcess): Promise<number> {
  await sleep(5_000)
  const before = cpuMs(pid)
  await sleep(IDLE_MS)
  return Math.round(((cpuMs(pid) - before) * 60_000) / IDLE_MS)
}

async function measureLists({ url, key }: ServiceProcess) {
  const times: number[] = []
  for (let n = 0; n < LISTS; n++) {
    const started = performance.now()
    const response = await fetch(`${url}/api/mcp/list`, { headers: { authorization: `Bearer ${key}` } })
    await response.json()
    times.push(performance.now() - started)
  }
  return percentiles(times)
}

/** One search of each server that was never asked, one after the other, and the share that finds the page asked for. */
async function measureCold(service: ServiceProcess, questions: readonly Asked[]) {
  const client = connect(service)
  const step = Math.max(1, Math.floor(questions.length / COLD_SERVERS))
  const some = questions.filter((_, n) => n % step === 0)
  const times: number[] = []
  let found = 0
  for (const { slug, query, url } of some) {
    const started = performance.now()
    const { results } = await client.search(slug, query)
    times.push(performance.now() - started)
    found += Number(results.some((result) => result.url.startsWith(url)))
  }
  return { servers: some.length, ...percentiles(times), found: found / some.length }
}

type Made = {
  pages: number
  buildMs: number
  segmentBytes: number
  bytesByTable: Record<string, number>
  /** One for each server, which names a page of it. */
  questions: Asked[]
}

async function addFleet(dataDir: string, { servers, pages }: { servers: number; pages: number }, made: Made) {
  const database = { engine: 'sqlite' as const, path: join(dataDir, 'docent.sqlite') }
  await using store = await openStore({ database, onError: () => {} })
  const { id: accountId } = await store.read.selectFrom('accounts').select('id').executeTakeFirstOrThrow()
  for (let server = 0; server < servers; server++) {
    await addServer(store, { accountId, server, pages: sizeOf(server, pages / servers) }, made)
    if (server % 500 === 499) process.stderr.write(`${server + 1} servers, ${made.pages} pages\n`)
  }
}

/** Bytes of the database file by table and index, the largest first. */
function bytesByTable(dataDir: string): Record<string, number> {
  const database = new DatabaseSync(join(dataDir, 'docent.sqlite'), { readOnly: true })
  const rows = database.prepare(
    'select name, sum(pgsize) as bytes from dbstat group by name order by bytes desc limit 12',
  )
  const sizes = rows.all().map(({ name, bytes }) => [String(name), Number(bytes)] as const)
  database.close()
  return Object.fromEntries(sizes)
}

type NewServer = { accountId: string; server: number; pages: number }

async function addServer(store: Store, { accountId, server: n, pages }: NewServer, made: Made): Promise<void> {
  const server = {
    id: newId('srv'),
    slug: `server-${n}`,
    name: `Server ${n}`,
    description: 'One of many.',
    visibility: 'public' as const,
    tools: '["search_docs","ask_question","get_code_examples"]',
    updatedAt: n,
    createdAt: n,
    deletedAt: null,
    purgeAt: null,
  }
  await insertServer(store.write, { ...server, accountId, refresh: 'off' })
  const address = { url: `https://${n}.example.com/docs/`, type: 'docs' as const, label: null }
  const row = newSourceRow({ ...address, id: newId('src'), serverId: server.id, createdAt: n })
  await insertSourceRow(store.write, row)
  const segments: string[] = []
  let chunks = 0
  for (let from = 0; from < pages; from += PAGES_PER_BUILD) {
    const own = Array.from({ length: Math.min(PAGES_PER_BUILD, pages - from) }, () =>
      generatePage(made.pages++, SECTIONS),
    )
    const [first] = own
    if (from === 0 && first) made.questions.push({ slug: server.slug, query: first.page.title, url: first.page.url })
    for (const { page } of own) chunks += page.chunks.length
    await addPages(store, row.id, own)
    const before = process.cpuUsage()
    const data = runBuildTask({ kind: 'build', pages: own })
    const { user, system } = process.cpuUsage(before)
    if (data === null) throw new TypeError('There is nothing to build.')
    made.buildMs += (user + system) / 1000
    made.segmentBytes += data.byteLength
    segments.push(newId('seg'))
    await writeSegment(store, { id: segments.at(-1) ?? '', sourceId: row.id, data, format: SEGMENT_FORMAT })
  }
  const counts = { pagesFound: pages, pagesIndexed: pages, chunks }
  const version = { segments: JSON.stringify(segments), crawlStatus: 'complete' as const }
  await store.write
    .updateTable('sources')
    .set({ ...version, ...counts })
    .where('id', '=', row.id)
    .execute()
}
