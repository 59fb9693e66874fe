import { SERIES } from '@docent/contract/operations/analytics-details'
import { configurationNames } from '#store/accounts/developers.ts'
import {
  type CallCount,
  type Counted,
  countByName,
  countByNameAndPeriod,
  countByPeriod,
} from '#store/calls/read-counts.ts'
import { isoTime } from '#lib/clock.ts'
import { countFeedback, unansweredByPeriod } from '#store/calls/read-calls.ts'
import { createPercentiles } from '#lib/duration-sketch.ts'
import type { Handler } from '../operation.ts'
import { filterOf } from './calls.ts'
import { PERIOD_MS, checkInterval, dayOf, startOf, DAY_MS } from './range.ts'

export const getSeries: Handler<'analytics.series'> = async (
  { deps, actor, server },
  { range, by, interval, ...wanted },
) => {
  checkInterval({ range, interval })
  await deps.flushCalls()
  const db = deps.store.read
  const filter = filterOf(wanted)
  const which: Counted = { serverId: server.id, sinceDay: dayOf(startOf(range, deps.clock())), ...filter }
  const [all, groups] = await Promise.all([
    countByPeriod(db, { ...which, byWidgets: by === 'configuration' }, 'day'),
    countByName(db, which, { by, limit: SERIES }),
  ])
  const names = groups.map(({ name }) => name)
  const points = await countByNameAndPeriod(db, which, { by, period: interval, names })
  const latencyOf = createLatency()
  const byName = Map.groupBy(points, ({ name }) => name)
  const labels = by === 'configuration' ? await configurationNames(db, actor.accountId) : new Map<string, string>()
  return {
    range,
    by,
    interval,
    total: { ...sumOf(all), ...latencyOf(all) },
    groups: groups.map(({ name, lastAt, calls, failed }) => ({
      name,
      label: labels.get(name ?? '') ?? null,
      calls,
      failed,
      lastCallAt: isoTime(lastAt),
      ...latencyOf(byName.get(name) ?? []),
      points: (byName.get(name) ?? []).map(({ period, ...point }) => {
        const { p50Ms, p95Ms } = latencyOf([point])
        return { at: isoTime(period * PERIOD_MS[interval]), calls: point.calls, failed: point.failed, p50Ms, p95Ms }
      }),
    })),
  }
}

const sumOf = (counts: readonly CallCount[]) => ({
  calls: counts.reduce((sum, { calls }) => sum + calls, 0),
  failed: counts.reduce((sum, { failed }) => sum + failed, 0),
})

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

/** Percentiles in milliseconds, rounded for people. Null values without calls. */
export type LatencyOf = (counts: readonly { durations: string }[]) => {
  p50Ms: number | null
  p95Ms: number | null
  p99Ms: number | null
}

/** For one report. */
export function createLatency(): LatencyOf {
  const percentilesOf = createPercentiles()
  return (counts) => {
    const sketches = counts.map(({ durations }) => durations)
    const [p50 = null, p95 = null, p99 = null] = percentilesOf(sketches, [50, 95, 99])
    return { p50Ms: rounded(p50), p95Ms: rounded(p95), p99Ms: rounded(p99) }
  }
}

const rounded = (value: number | null): number | null => (value === null ? null : Math.round(value * 100) / 100)
