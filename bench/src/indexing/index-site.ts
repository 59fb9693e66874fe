import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { connect, type DocentClient } from '#service/docent-client.ts'
import { cpuMs, residentMb, watchMemory } from '#service/read-process.ts'
import { startService } from '#service/start-service.ts'
import { UsageError } from '#lib/usage-error.ts'

/** Matches almost any documentation, to detect the first searchable passages. */
const FIRST_QUERY = 'configuration options'
const IDLE_MS = 3_000
const POLL_MS = 100

/**
 * Cost of indexing a site: `npm run bench -- index --site URL`. Starts the service, creates a server for the site, and
 * measures its process from outside. CPU is that of the whole process, from the create request until everything is
 * published. Then the same for a refresh of the unchanged site.
 */
export async function run(args: string[]): Promise<Record<string, unknown>> {
  const { values } = parseArgs({ args, options: { site: { type: 'string' } } })
  if (!values.site) throw new UsageError('Name the site with --site URL.')
  await using service = await startService()
  const client = connect(service)
  await sleep(IDLE_MS)
  const idle = residentMb(service.pid)
  using memory = watchMemory(service.pid)

  const indexing = await measure(service.pid, async (elapsedMs) => {
    const { serverId, slug } = await client.createServer(values.site ?? '')
    const firstPassageMs = await untilFound(client, serverId, slug, elapsedMs)
    await untilDone(client, serverId)
    return { serverId, firstPassageMs }
  })
  const { serverId, firstPassageMs } = indexing.result
  const [peak, peakSummed] = [memory.most(), memory.mostSummed()]
  const { sources } = await client.getServer(serverId)
  const [source] = sources
  if (!source) throw new Error('The server has no source.')
  const { pagesDiscovered, pagesIndexed, pagesSkipped, pagesFailed, skipped, chunks } = source

  const refresh = await measure(service.pid, async () => {
    await client.refresh(serverId)
    await untilDone(client, serverId)
  })
  return {
    site: values.site,
    sendsEtags: (await fetch(values.site)).headers.has('etag'),
    pages: {
      found: pagesDiscovered,
      indexed: pagesIndexed,
      skipped: pagesSkipped,
      failed: pagesFailed,
      reasons: skipped,
    },
    droppedWithoutReport: pagesDiscovered - pagesIndexed - pagesSkipped - pagesFailed,
    chunks,
    indexSeconds: seconds(indexing.wallMs),
    indexCpuSeconds: seconds(indexing.cpuMs),
    pagesPerCpuSecond: round((pagesIndexed * 1000) / indexing.cpuMs),
    firstPassageSeconds: seconds(firstPassageMs),
    peakRssMb: peak,
    peakRssSummedMb: peakSummed,
    refreshSeconds: seconds(refresh.wallMs),
    refreshCpuSeconds: seconds(refresh.cpuMs),
    coldStartSeconds: seconds(service.readyMs),
    idleRssMb: idle,
  }
}

/** Wall and CPU time of the process `pid` during `work`. */
async function measure<T>(pid: number, work: (elapsedMs: () => number) => Promise<T>) {
  const [cpu, started] = [cpuMs(pid), performance.now()]
  const elapsedMs = () => performance.now() - started
  const result = await work(elapsedMs)
  return { result, wallMs: elapsedMs(), cpuMs: cpuMs(pid) - cpu }
}

/** Time until the first search result, or until nothing is left to index. */
async function untilFound(
  client: DocentClient,
  serverId: string,
  slug: string,
  elapsedMs: () => number,
): Promise<number> {
  for (;;) {
    const { status } = await client.getProgress(serverId)
    const { results } = await client.search(slug, FIRST_QUERY)
    if (results.length > 0) return elapsedMs()
    if (status !== 'crawling') throw new Error(`Nothing is found for "${FIRST_QUERY}" on the finished server.`)
    await sleep(POLL_MS)
  }
}

export async function untilDone(client: DocentClient, serverId: string): Promise<void> {
  while ((await client.getProgress(serverId)).status === 'crawling') await sleep(POLL_MS)
}

const round = (value: number): number => Math.round(value * 100) / 100
const seconds = (ms: number): number => round(ms / 1000)
