import { seesRequestLog } from '#auth/plans.ts'
import type { Db } from '#store/db.ts'
import {
  countByClient,
  countByDay,
  countByPage,
  countByQuery,
  type Percentiles,
  percentiles,
} from '#store/calls/read-calls.ts'
import type { Handler } from '../operation.ts'
import { isoTime } from '../servers/present.ts'
import { DAY_MS, startOf } from './range.ts'
import { readSummary } from './summary.ts'

/** Entries per list. */
const LISTED = 20
/** Confidence values of answers with little or no support in the sources. */
const UNANSWERED = ['low', 'none']

const LOCKED = {
  locked: true as const,
  series: null,
  clients: null,
  topQueries: null,
  unanswered: null,
  topPages: null,
  latency: null,
}

export const getAnalytics: Handler<'analytics.report'> = async ({ deps, actor, server }, { range }) => {
  const summary = await readSummary(deps, server)
  const now = deps.clock()
  if (!seesRequestLog(actor, now)) return { ...summary, range, ...LOCKED }
  return { ...summary, range, ...(await readReport(deps.store.read, server.id, startOf(range, now))) }
}

async function readReport(db: Db, serverId: string, since: number) {
  const top = { since, limit: LISTED }
  const [days, daily, [overall], clients, queries, unanswered, pages] = await Promise.all([
    countByDay(db, serverId, Math.floor(since / DAY_MS)),
    percentiles(db, serverId, since, 'day'),
    percentiles(db, serverId, since, 'all'),
    countByClient(db, serverId, top),
    countByQuery(db, serverId, top),
    countByQuery(db, serverId, { ...top, confidence: UNANSWERED }),
    countByPage(db, serverId, top),
  ])
  const byDay = new Map(daily.map((entry) => [entry.day, entry]))
  return {
    series: days.map(({ day, calls, failed }) => {
      const { p50Ms, p95Ms } = latencyOf(byDay.get(day))
      return { date: isoTime(day * DAY_MS).slice(0, 10), calls, failed, p50Ms, p95Ms }
    }),
    clients: clients.map(({ clientName, clientVersion, calls, lastCallAt }) => ({
      name: clientName,
      version: clientVersion,
      calls,
      lastCallAt: isoTime(lastCallAt),
    })),
    topQueries: queries.map(withTime),
    unanswered: unanswered.map(withTime),
    topPages: pages.map((page) => ({ ...page, lastCitedAt: isoTime(page.lastCitedAt) })),
    latency: latencyOf(overall),
  }
}

const withTime = <T extends { lastAskedAt: number }>(asked: T) => ({
  ...asked,
  lastAskedAt: isoTime(asked.lastAskedAt),
})

/** Null values if the log has no calls. */
function latencyOf(of: Percentiles | undefined) {
  const rounded = (value: number | undefined) => (value === undefined ? null : Math.round(value * 100) / 100)
  return { p50Ms: rounded(of?.p50Ms), p95Ms: rounded(of?.p95Ms), p99Ms: rounded(of?.p99Ms) }
}
