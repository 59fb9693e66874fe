import { countFeedback, unansweredByPeriod } from '#store/calls/read-calls.ts'
import type { Handler } from '../operation.ts'
import { isoTime } from '../servers/present.ts'
import { filterOf } from './call-filter.ts'
import { DAY_MS, PERIOD_MS, checkInterval, dayOf, startOf } from './range.ts'

export const getQuality: Handler<'analytics.quality'> = async ({ deps, server }, { range, interval, ...wanted }) => {
  checkInterval({ range, interval })
  await deps.flushCalls()
  // Whole days, as in the other figures.
  const since = dayOf(startOf(range, deps.clock())) * DAY_MS
  const filter = { since, ...filterOf(wanted) }
  const periodMs = PERIOD_MS[interval]
  const [points, feedback] = await Promise.all([
    unansweredByPeriod(deps.store.read, server.id, { ...filter, periodMs }),
    countFeedback(deps.store.read, server.id, filter),
  ])
  return {
    range,
    interval,
    unanswered: points.reduce((sum, { calls }) => sum + calls, 0),
    points: points.map(({ period, calls }) => ({ at: isoTime(period * periodMs), unanswered: calls })),
    feedback,
  }
}
