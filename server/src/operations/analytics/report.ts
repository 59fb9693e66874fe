import { seesRequestLog } from '#auth/plans.ts'
import type { Db } from '#store/db.ts'
import { countByQuery } from '#store/calls/read-calls.ts'
import { readCitedPages } from '#store/calls/read-cited-pages.ts'
import { countByClient, countByPeriod } from '#store/calls/read-counts.ts'
import type { Handler } from '../operation.ts'
import { isoTime } from '../servers/present.ts'
import { createLatency } from './latency.ts'
import { dateOf, dayOf, startOf } from './range.ts'
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
  const counted = { serverId, sinceDay: dayOf(since) }
  const [days, clients, queries, unanswered, { pages }] = await Promise.all([
    countByPeriod(db, counted, 'day'),
    countByClient(db, counted, LISTED),
    countByQuery(db, serverId, top),
    countByQuery(db, serverId, { ...top, confidence: UNANSWERED }),
    readCitedPages(db, counted, { offset: 0, limit: LISTED, withDays: false }),
  ])
  const latencyOf = createLatency()
  return {
    series: days.map((day) => {
      const { p50Ms, p95Ms } = latencyOf([day])
      return { date: dateOf(day.period), calls: day.calls, failed: day.failed, p50Ms, p95Ms }
    }),
    clients: clients.map((client) => ({ ...client, lastCallAt: isoTime(client.lastCallAt) })),
    topQueries: queries.map(withTime),
    unanswered: unanswered.map(withTime),
    topPages: pages.map(({ days: _, ...page }) => ({ ...page, lastCitedAt: isoTime(page.lastCitedAt) })),
    latency: latencyOf(days),
  }
}

const withTime = <T extends { lastAskedAt: number }>(asked: T) => ({
  ...asked,
  lastAskedAt: isoTime(asked.lastAskedAt),
})
