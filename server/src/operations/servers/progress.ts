import { countJobs } from '#store/jobs/queue.ts'
import { listSources } from '#store/sources/sources.ts'
import type { JobCounts, ProgressRow } from '#store/servers/progress.ts'
import type { Handler, OperationDeps } from '../operation.ts'
import { type ServerStatus, serverStatus } from './present.ts'

export const getProgress: Handler<'servers.progress'> = async ({ deps, server }) => readProgress(deps, server.id)

/** Progress of a server. Public, so it contains ids and numbers, but no address, title or error text. */
export async function readProgress({ store, clock }: OperationDeps, serverId: string) {
  return progressOf(await listSources(store.read, serverId), await countJobs(store.read, serverId), clock())
}

/** Estimates need some time and some pages. */
const ETA_AFTER_MS = 3_000
const ETA_AFTER_PAGES = 10

/** Progress of a server, for clients. */
export type Progress = {
  status: ServerStatus
  jobs: JobCounts & { done: number }
  percent: number
  etaSeconds: number | null
  pagesPerSecond: number | null
  sources: {
    id: string
    crawlStatus: ProgressRow['crawlStatus']
    pagesDiscovered: number
    pagesIndexed: number
    pagesSkipped: number
    pagesFailed: number
  }[]
}

/** Progress of a server, from its sources and jobs in the store at `now` (milliseconds since 1970). */
export function progressOf(sources: readonly ProgressRow[], jobs: JobCounts, now: number): Progress {
  const by = (...states: ProgressRow['crawlStatus'][]) =>
    sources.filter(({ crawlStatus }) => states.includes(crawlStatus)).length
  const states = {
    total: sources.length,
    complete: by('complete'),
    error: by('error'),
    busy: by('pending', 'crawling'),
  }
  const status = serverStatus(states, jobs.queued + jobs.running)
  const settled = sum(sources, settledPages)
  const found = sum(sources, (source) => source.pagesFound)
  return {
    status,
    jobs: { ...jobs, done: states.complete + states.error },
    percent: status === 'crawling' ? percentOf(settled, found) : 100,
    etaSeconds: status === 'crawling' ? eta(sources, now) : null,
    pagesPerSecond: status === 'crawling' ? pagesPerSecond(sources, now) : null,
    sources: sources.map(({ id, crawlStatus, pagesFound, pagesIndexed, pagesSkipped, pagesFailed }) => ({
      id,
      crawlStatus,
      pagesDiscovered: pagesFound,
      pagesIndexed,
      pagesSkipped,
      pagesFailed,
    })),
  }
}

const settledPages = (source: ProgressRow): number => source.pagesFound - source.pagesToGo

/** Never 100 while work remains. */
const percentOf = (settled: number, found: number): number =>
  found === 0 ? 0 : Math.min(99, Math.floor((100 * settled) / found))

/** Seconds until the slowest source finishes at its current rate, or null without a reliable estimate. */
function eta(sources: readonly ProgressRow[], now: number): number | null {
  let longest: number | null = null
  for (const source of sources) {
    if (source.crawlStatus === 'pending') return null
    if (source.crawlStatus !== 'crawling' || source.crawlStartedAt === null) continue
    const [elapsed, settled] = [now - source.crawlStartedAt, settledPages(source)]
    if (elapsed < ETA_AFTER_MS || settled < ETA_AFTER_PAGES) return null
    const seconds = Math.ceil(((source.pagesFound - settled) * elapsed) / settled / 1000)
    longest = Math.max(longest ?? 0, seconds)
  }
  return longest
}

/** Total rate of all active sources, to one decimal. Null until some time has passed. */
function pagesPerSecond(sources: readonly ProgressRow[], now: number): number | null {
  let rate: number | null = null
  for (const source of sources) {
    if (source.crawlStatus !== 'crawling' || source.crawlStartedAt === null) continue
    const elapsed = now - source.crawlStartedAt
    if (elapsed >= ETA_AFTER_MS) rate = (rate ?? 0) + (1_000 * settledPages(source)) / elapsed
  }
  return rate === null ? null : Math.round(10 * rate) / 10
}

const sum = <T>(items: readonly T[], value: (item: T) => number): number =>
  items.reduce((total, item) => total + value(item), 0)
