import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { CallRecorder } from '@docent/server/analytics/record-calls.ts'
import { newId } from '@docent/server/lib/ids.ts'
import type { Store } from '@docent/server/store/db.ts'
import { openStore } from '@docent/server/store/engine/open.ts'
import { countSeen, readCounts, startCallLoad } from '../../../server/test/support/mcp/call-load.ts'
import { startSite } from '../../../server/test/support/sites/site.ts'
import { cpuMs } from '#service/read-process.ts'
import { type ServiceProcess, startService } from '#service/start-service.ts'
import { UsageError } from '#lib/usage-error.ts'
import { addYearOfCalls } from './year-of-calls.ts'

const WARM_UP = 3
const READS = 15
/** Calls before and during the measurement. SQLite merges its log every two seconds, which is a quarter of the cost. */
const [WARM_UP_CALLS, RECORDED] = [20_000, 200_000]
/** Calls of one turn of the event loop. */
const CALLS_PER_TURN = 16
/** Half of the calls that a recorder keeps. */
const MOST_WAITING = 5_000
const CLIENTS = 8
/** A node writes recorded calls twice as often. */
const WRITTEN_MS = 1_000

const YEAR = [
  '/summary',
  '?range=1y',
  '/series?range=1y&by=client',
  '/series?range=1y&by=tool&client=client-1',
  '/series?range=7d&by=tool&interval=hour',
  '/pages?range=1y',
  '/unanswered?range=1y',
  '/calls?range=1y',
]

/**
 * Cost of analytics: `npm run bench -- analytics [--calls 10000000] [--load 100000] [--database URL]`. Times reports of
 * a server with a year of that many calls; CPU time and bytes of recording a call with five citations; and whether all calls
 * of eight clients are counted. With a URL of an empty PostgreSQL database, uses that instead of SQLite, and two nodes.
 */
export async function run(args: string[]): Promise<Record<string, unknown>> {
  const options = {
    calls: { type: 'string', default: '10000000' },
    load: { type: 'string', default: '100000' },
    database: { type: 'string' },
  } as const
  const { values } = parseArgs({ args, options })
  const [calls, load] = [Number(values.calls), Number(values.load)]
  if (!(calls > 0 && load > 0)) throw new UsageError('--calls and --load want numbers of calls.')
  const database = values.database
  const databaseOf = (dataDir: string) =>
    database
      ? { engine: 'postgres' as const, url: database }
      : { engine: 'sqlite' as const, path: join(dataDir, 'docent.sqlite') }
  let year = { serverId: '', counted: 0 }
  await using service = await startService({
    environment: database ? { DATABASE_URL: database } : {},
    async prepare(dataDir) {
      await using store = await openStore({ database: databaseOf(dataDir), onError: () => {} })
      year = await addYearOfCalls(store, calls)
    },
  })
  const reports = await timeReports(service, year)
  const counted = await countLoad(service, load, database)
  return {
    engine: database ? 'postgres' : 'sqlite',
    calls: year.counted,
    reports,
    load: counted,
    ...(await costs(database)),
  }
}

async function timeReports(
  { url, key, pid }: ServiceProcess,
  { serverId, counted }: { serverId: string; counted: number },
) {
  const get = async (path: string) => {
    const response = await fetch(`${url}/api/analytics/${serverId}${path}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as { totalCalls?: number }
  }
  const { totalCalls } = await get('/summary')
  if (totalCalls !== counted) throw new Error(`The summary has ${totalCalls} calls of ${counted}.`)
  const figures: Record<string, { firstMs: number; medianMs: number; maxMs: number; cpuMs: number }> = {}
  for (const path of YEAR) {
    const first = await timed(() => get(path))
    for (let n = 0; n < WARM_UP; n++) await get(path)
    const before = cpuMs(pid)
    const times: number[] = []
    for (let n = 0; n < READS; n++) times.push(await timed(() => get(path)))
    const sorted = times.toSorted((a, b) => a - b)
    figures[path] = {
      firstMs: round(first),
      medianMs: round(sorted[READS >> 1] ?? 0),
      maxMs: round(sorted.at(-1) ?? 0),
      cpuMs: round((cpuMs(pid) - before) / READS),
    }
  }
  return figures
}

/**
 * Calls of several clients through MCP, compared with the counts of the service. On PostgreSQL, every other client calls
 * a second node.
 */
async function countLoad(service: ServiceProcess, calls: number, database: string | undefined) {
  const { url, key } = service
  await using stack = new AsyncDisposableStack()
  const site = stack.use(await startSite({ '/': '<title>Home</title><p>Welcome to this place.</p>' }))
  const environment = { DATABASE_URL: database ?? '' }
  const nodes = database ? [url, stack.use(await startService({ environment, joins: service })).url] : [url]
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ name: 'Loaded', sources: [{ url: site.url }] })
  const created = await fetch(`${url}/api/mcp/create`, { method: 'POST', headers, body })
  const { slug } = (await created.json()) as { slug: string }
  const state = async () => (await (await fetch(`${url}/api/mcp/${slug}/crawl-next`)).json()) as { status: string }
  while ((await state()).status === 'crawling') await sleep(50)
  const started = performance.now()
  const share = { clients: CLIENTS / nodes.length, calls: calls / nodes.length }
  const loads = nodes.map((node) => startCallLoad(`${node}/api/mcp/${slug}`, share))
  await Promise.all(loads.map(({ ended }) => ended))
  const seconds = (performance.now() - started) / 1_000
  const answered = loads.flatMap((load) => load.answered)
  await sleep(WRITTEN_MS)
  const isEqual = async (by: 'client' | 'tool') =>
    inOrder(await readCounts(url, key, slug, by)) === inOrder(countSeen(answered, by))
  return {
    nodes: nodes.length,
    answered: answered.length,
    // A client ends with the first lost connection.
    lostClients: loads.reduce((lost, { unanswered }) => lost + unanswered, 0),
    perSecond: Math.round(answered.length / seconds),
    equalByClient: await isEqual('client'),
    equalByTool: await isEqual('tool'),
  }
}

const inOrder = (counts: Record<string, unknown>): string =>
  JSON.stringify(Object.entries(counts).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** CPU time of this process for recording, in a database of its own, if it is SQLite, and what a call adds to its file. */
async function costs(database: string | undefined): Promise<{ recordingCpuUs?: number; bytesPerCall?: number }> {
  if (database) return {}
  const dataDir = await mkdtemp(join(tmpdir(), 'docent-bench-'))
  await using stack = new AsyncDisposableStack()
  stack.defer(() => rm(dataDir, { recursive: true, force: true }))
  const path = join(dataDir, 'docent.sqlite')
  const store = stack.use(await openStore({ database: { engine: 'sqlite', path }, onError: () => {} }))
  return await costOfRecording(store, path)
}

const TOOLS = ['search_docs', 'search_docs', 'search_docs', 'ask_question', 'get_code_examples', 'get_changelog']

/** Marks the recorded calls. */
const SEGMENT = newId('seg')

async function costOfRecording(store: Store, path: string) {
  await store.write
    .insertInto('accounts')
    .values({ id: 'acc', email: 'bench@example.org', name: 'Bench', plan: 'unlimited', isOperator: 1, createdAt: 1 })
    .execute()
  const { serverId } = await addYearOfCalls(store, 1_000_000)
  const { id: sourceId } = await store.read.selectFrom('sources').select('id').executeTakeFirstOrThrow()
  await using recorder = new CallRecorder({ store, onError: (error) => process.stderr.write(`${String(error)}\n`) })
  const record = async (count: number) => {
    for (let n = 0; n < count; n++) {
      recorder.record(serverId, {
        tool: TOOLS[n % TOOLS.length] ?? '',
        arguments: { query: `how do I configure part ${n % 500} of the pipeline` },
        client: { name: `client-${n % 5}`, version: '1.0.17' },
        outcome: n % 40 === 0 ? 'failed' : 'answered',
        durationMs: 1 + (n % 1_000) / 10,
        citations: [1, 2, 3, 4, 5].map((rank) => ({
          sourceId,
          url: `https://docs.example.com/guide/page-${(n * rank) % 300}.html#section`,
          title: 'Page about the pipeline',
          rank,
          score: (n % 1_000) / 1_000,
        })),
        segments: [SEGMENT],
      })
      if (n % CALLS_PER_TURN === 0) await nextTurn()
      // A recorder that falls behind drops the oldest calls, on slow disks also in this benchmark.
      if (n % MOST_WAITING === 0) await recorder.flush()
    }
    await recorder.flush()
  }
  await record(WARM_UP_CALLS)
  const bytesBefore = await fileBytes(store, path)
  const before = process.cpuUsage()
  await record(RECORDED)
  const { user, system } = process.cpuUsage(before)
  const { written } = await store.read
    .selectFrom('calls')
    .select((is) => is.fn.countAll<number>().as('written'))
    .where('segments', '=', SEGMENT)
    .executeTakeFirstOrThrow()
  if (written !== WARM_UP_CALLS + RECORDED) throw new Error(`${written} calls were written.`)
  const bytesPerCall = Math.round(((await fileBytes(store, path)) - bytesBefore) / RECORDED)
  return { recordingCpuUs: round((user + system) / RECORDED), bytesPerCall }
}

async function fileBytes(store: Store, path: string): Promise<number> {
  // Merges the write-ahead log.
  await store.scrub()
  return (await stat(path)).size
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

const round = (value: number): number => Math.round(value * 10) / 10
