import { TOKEN_PLACEHOLDER, snippetOf } from '@docent/contract/values/client-snippets'
import { isoTime } from '#lib/clock.ts'
import { countJobs } from '#store/jobs/queue.ts'
import type { JobCounts, ProgressRow } from '#store/servers/progress.ts'
import type { ListedServer, ServerRow, SourceStates } from '#store/servers/servers.ts'
import { listSources } from '#store/sources/sources.ts'
import type { OperationDeps } from '../operation.ts'

export const endpointUrl = (baseUrl: string, slug: string): string => `${baseUrl}/api/mcp/${slug}`

/**
 * Client configuration to paste. For a private server it contains a placeholder, because tokens are shown only once.
 */
export function configSnippet(baseUrl: string, { slug, visibility }: Pick<ServerRow, 'slug' | 'visibility'>): string {
  const token = visibility === 'private' ? TOKEN_PLACEHOLDER : null
  return snippetOf({ slug, url: endpointUrl(baseUrl, slug), token })
}

/** State of a live server: busy while work remains, otherwise derived from the results of its sources. */
export function serverStatus({ total, complete, busy }: SourceStates, openJobs = 0): 'crawling' | 'active' | 'error' {
  if (busy > 0 || openJobs > 0) return 'crawling'
  return complete > 0 || total === 0 ? 'active' : 'error'
}

/** Fields shared by list and detail. */
export function summaryFields<S extends string>(
  baseUrl: string,
  server: Omit<ListedServer, keyof SourceStates | 'deletedAt' | 'purgeAt'>,
  { total, status }: { total: number; status: S },
) {
  const createdAt = isoTime(server.createdAt)
  return {
    id: server.id,
    slug: server.slug,
    name: server.name,
    description: server.description,
    visibility: server.visibility,
    status,
    url: endpointUrl(baseUrl, server.slug),
    sourceCount: total,
    toolCount: (JSON.parse(server.tools) as string[]).length,
    createdAt,
    // Most servers are unchanged since creation, and date formatting takes a tenth of the time of a list of thousands.
    updatedAt: server.updatedAt === server.createdAt ? createdAt : isoTime(server.updatedAt),
  }
}

const ETA_AFTER_MS = 3_000
const ETA_AFTER_PAGES = 10

/** Progress of a server. Public, so it contains ids and numbers, but no address, title or error text. */
export async function readProgress({ store, clock }: OperationDeps, serverId: string) {
  return progressOf(await listSources(store.read, serverId), await countJobs(store.read, serverId), clock())
}

export type Progress = ReturnType<typeof progressOf>

/** Progress of a server, from its sources and jobs in the store at `now` (milliseconds since 1970). */
export function progressOf(sources: readonly ProgressRow[], jobs: JobCounts, now: number) {
  const by = (...states: ProgressRow['crawlStatus'][]) =>
    sources.filter(({ crawlStatus }) => states.includes(crawlStatus)).length
  const states = { total: sources.length, complete: by('complete'), busy: by('pending', 'crawling') }
  const status = serverStatus(states, jobs.queued + jobs.running)
  const isCrawling = status === 'crawling'
  return {
    status,
    jobs: { ...jobs, done: states.complete + by('error') },
    percent: isCrawling ? percentOf(sources) : 100,
    etaSeconds: isCrawling ? eta(sources, now) : null,
    pagesPerSecond: isCrawling ? pagesPerSecond(sources, now) : null,
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
function percentOf(sources: readonly ProgressRow[]): number {
  const settled = sources.reduce((sum, source) => sum + settledPages(source), 0)
  const found = sources.reduce((sum, source) => sum + source.pagesFound, 0)
  return found === 0 ? 0 : Math.min(99, Math.floor((100 * settled) / found))
}

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
