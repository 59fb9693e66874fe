import { SERIES } from '@docent/contract/operations/analytics-details'
import { configurationNames } from '#store/accounts/developers.ts'
import {
  type CallCount,
  type Counted,
  countByName,
  countByNameAndPeriod,
  countByPeriod,
} from '#store/calls/read-counts.ts'
import type { Handler } from '../operation.ts'
import { isoTime } from '../servers/present.ts'
import { filterOf } from './call-filter.ts'
import { createLatency } from './latency.ts'
import { PERIOD_MS, checkInterval, dayOf, startOf } from './range.ts'

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
