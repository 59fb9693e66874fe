import { RECENT_DAYS } from '@docent/contract/operations/analytics'
import { DETAILS_PAGE_SIZE as PAGE_SIZE } from '@docent/contract/operations/analytics-details'
import { planUrl, seesRequestLog } from '#auth/plans.ts'
import { found } from '#errors.ts'
import { isoTime, isoTimes } from '#lib/clock.ts'
import { defined } from '#lib/objects.ts'
import { countByQuery, unansweredQueries, usesOfSources } from '#store/calls/read-calls.ts'
import { readCitedPages } from '#store/calls/read-cited-pages.ts'
import { type ToolCount, countByClient, countByPeriod, countByTool } from '#store/calls/read-counts.ts'
import type { Db } from '#store/db.ts'
import { type DayCount, recentCalls } from '#store/servers/progress.ts'
import type { ServerRow } from '#store/servers/servers.ts'
import { findSource } from '#store/sources/sources.ts'
import type { HandlersOf, OperationDeps } from '../operation.ts'
import { pagingOf, partOf } from '../paging.ts'
import { readProgress } from '../servers/present.ts'
import { DAY_MS, createLatency, dayOf, startOf } from './series.ts'

const LISTED = 20

const LOCKED = {
  locked: true as const,
  series: null,
  clients: null,
  topQueries: null,
  unanswered: null,
  topPages: null,
  latency: null,
}

type Reports = 'analytics.report' | 'analytics.summary' | 'analytics.recent' | 'analytics.pages'

export const reportHandlers: Pick<HandlersOf<'analytics'>, Reports> = {
  'analytics.report': async ({ deps, actor, server }, { range }) => {
    const summary = await readSummary(deps, server)
    const now = deps.clock()
    if (!seesRequestLog(actor, now)) return { ...summary, range, ...LOCKED }
    return { ...summary, range, ...(await readReport(deps.store.read, server.id, startOf(range, now))) }
  },

  'analytics.summary': async ({ deps, server }) => readSummary(deps, server),

  'analytics.recent': async ({ deps, actor }) => {
    await deps.flushCalls()
    const { accountId, serverIds } = actor
    const sinceDay = dayOf(deps.clock()) - RECENT_DAYS + 1
    const servers: Recent = new Map()
    for await (const slice of recentCalls(deps.store.read, { accountId, serverIds, sinceDay })) {
      for (const count of slice) addCount(servers, count, sinceDay)
    }
    const days = Array.from({ length: RECENT_DAYS }, (_, index) => dateOf(sinceDay + index))
    return { days, servers: [...servers.values()] }
  },

  'analytics.pages': async ({ deps, server }, { range, sourceId, page }) => {
    const db = deps.store.read
    if (sourceId !== undefined) found(await findSource(db, server.id, sourceId), 'source_not_found')
    await deps.flushCalls()
    const sinceDay = dayOf(startOf(range, deps.clock()))
    const which = { serverId: server.id, sinceDay, ...defined({ sourceId }) }
    const { pages, total } = await readCitedPages(db, which, { ...partOf(page, PAGE_SIZE), withDays: true })
    return {
      range,
      pages: pages.map(({ days, ...cited }) => ({
        ...isoTimes(cited),
        points: days.map(({ day, citations }) => ({ date: dateOf(day), citations })),
      })),
      ...pagingOf(page, PAGE_SIZE, total),
    }
  },
}

const dateOf = (day: number): string => isoTime(day * DAY_MS).slice(0, 10)

async function readReport(db: Db, serverId: string, since: number) {
  const top = { since, limit: LISTED }
  const counted = { serverId, sinceDay: dayOf(since) }
  const [days, clients, queries, unanswered, { pages }] = await Promise.all([
    countByPeriod(db, counted, 'day'),
    countByClient(db, counted, LISTED),
    countByQuery(db, serverId, top),
    unansweredQueries(db, serverId, top),
    readCitedPages(db, counted, { offset: 0, limit: LISTED, withDays: false }),
  ])
  const latencyOf = createLatency()
  return {
    series: days.map((day) => ({ ...day, date: dateOf(day.period), ...latencyOf([day]) })),
    clients: clients.map(isoTimes),
    topQueries: queries.map(isoTimes),
    unanswered: unanswered.map(isoTimes),
    topPages: pages.map(isoTimes),
    latency: latencyOf(days),
  }
}

/** Usage of a server, including every call that this node has answered. */
async function readSummary(deps: OperationDeps, server: ServerRow) {
  const { store, clock, baseUrl, flushCalls } = deps
  await flushCalls()
  const [tools, sources, { status }] = await Promise.all([
    countByTool(store.read, server.id),
    usesOfSources(store.read, server.id),
    readProgress(deps, server.id),
  ])
  const total = tools.reduce(add, { calls: 0, failed: 0, durationMs: 0 })
  return {
    serverId: server.id,
    slug: server.slug,
    name: server.name,
    status,
    generatedAt: isoTime(clock()),
    totalCalls: total.calls,
    failedCalls: total.failed,
    successRate: successRate(total),
    avgDurationMs: total.calls === 0 ? 0 : rounded(total.durationMs / total.calls),
    activeSources: sources.filter(({ segments }) => segments !== '[]').length,
    citedSources: sources.filter(({ citations }) => citations !== null).length,
    toolUsage: tools.map((tool) => ({ name: tool.tool, calls: tool.calls, successRate: successRate(tool) })),
    sourceUsage: sources.map((source) => {
      const { id, calls, citations } = source
      return { ...isoTimes(source), sourceId: id, calls: calls ?? 0, citations: citations ?? 0 }
    }),
    upgradeUrl: planUrl(baseUrl()),
  }
}

type Counts = Omit<ToolCount, 'tool'>

function add(sum: Counts, { calls, failed, durationMs }: Counts): Counts {
  return { calls: sum.calls + calls, failed: sum.failed + failed, durationMs: sum.durationMs + durationMs }
}

/** Per cent. No calls count as no failures. */
const successRate = ({ calls, failed }: Counts): number =>
  calls === 0 ? 100 : rounded((100 * (calls - failed)) / calls)

const rounded = (value: number): number => Math.round(value * 100) / 100

type Recent = Map<string, { serverId: string; calls: number[]; failed: number[] }>

function addCount(servers: Recent, { serverId, day, calls, failed }: DayCount, sinceDay: number): void {
  const at = day - sinceDay
  // A clock that is set back leaves counts of days to come.
  if (at >= RECENT_DAYS) return
  const none = () => Array<number>(RECENT_DAYS).fill(0)
  const server = servers.get(serverId) ?? { serverId, calls: none(), failed: none() }
  server.calls[at] = calls
  server.failed[at] = failed
  servers.set(serverId, server)
}
