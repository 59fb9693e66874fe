import { SERIES } from '@docent/contract/operations/analytics-details'
import type { Range } from '@docent/contract/values/analytics-fields'
import { type Outcome, WITHOUT_ANSWER } from '@docent/contract/values/outcomes'
import { DocentError } from '#errors.ts'
import { isoTime } from '#lib/clock.ts'
import { defined } from '#lib/objects.ts'
import { createPercentiles } from '#lib/duration-sketch.ts'
import { configurationNames } from '#store/accounts/developers.ts'
import { countFeedback } from '#store/calls/read-calls.ts'
import {
  type CallCount,
  type Counted,
  countByName,
  countByNameAndPeriod,
  countByOutcome,
  countByPeriod,
} from '#store/calls/read-counts.ts'
import type { HandlersOf } from '../operation.ts'

export const DAY_MS = 24 * 60 * 60 * 1000
const PERIOD_MS = { day: DAY_MS, hour: DAY_MS / 24 }
const DAYS: Record<Range, number> = { '7d': 7, '30d': 30, '90d': 90, '1y': 365, all: Infinity }

/** Start of a range, in milliseconds since 1970. */
export const startOf = (range: Range, now: number): number => Math.max(0, now - DAYS[range] * DAY_MS)

/** The day of a time, in days since 1970, UTC. Counts are kept for whole days. */
export const dayOf = (at: number): number => Math.floor(at / DAY_MS)

export const seriesHandlers: Pick<HandlersOf<'analytics'>, 'analytics.series' | 'analytics.quality'> = {
  'analytics.series': async ({ deps, actor, server }, { range, by, interval, ...wanted }) => {
    checkInterval({ range, interval })
    await deps.flushCalls()
    const db = deps.store.read
    const sinceDay = dayOf(startOf(range, deps.clock()))
    const which: Counted = { serverId: server.id, sinceDay, ...defined(wanted) }
    const [all, groups] = await Promise.all([
      countByPeriod(db, { ...which, byWidgets: by === 'configuration' }, 'day'),
      countByName(db, which, { by, limit: SERIES }),
    ])
    const names = groups.map(({ name }) => name)
    const points = await countByNameAndPeriod(db, which, { by, period: interval, names })
    const latencyOf = createLatency()
    const byName = Map.groupBy(points, ({ name }) => name)
    const labels = by === 'configuration' ? await configurationNames(db, actor.accountId) : new Map<string, string>()
    const total = { calls: sumOf(all, 'calls'), failed: sumOf(all, 'failed'), ...latencyOf(all) }
    const shown = groups.map(({ name, lastAt, ...counts }) => {
      const own = (byName.get(name) ?? []).map((point) => {
        return { ...point, at: isoTime(point.period * PERIOD_MS[interval]), ...latencyOf([point]) }
      })
      const label = labels.get(name ?? '') ?? null
      return { name, label, ...counts, lastCallAt: isoTime(lastAt), ...latencyOf(own), points: own }
    })
    return { range, by, interval, total, groups: shown }
  },

  'analytics.quality': async ({ deps, server }, { range, interval, ...wanted }) => {
    checkInterval({ range, interval })
    await deps.flushCalls()
    // Whole days, as in the other figures.
    const sinceDay = dayOf(startOf(range, deps.clock()))
    const filter = defined(wanted)
    const [counts, feedback] = await Promise.all([
      countByOutcome(deps.store.read, { serverId: server.id, sinceDay, ...filter }, interval),
      countFeedback(deps.store.read, server.id, { since: sinceDay * DAY_MS, ...filter }),
    ])
    const byPeriod = Map.groupBy(counts, ({ period }) => period)
    const points = [...byPeriod].map(([period, own]) => {
      return { at: isoTime(period * PERIOD_MS[interval]), ...outcomesIn(own) }
    })
    return { range, interval, ...outcomesIn(counts), points, feedback }
  },
}

/** Throws for hours of a longer range than a week. */
function checkInterval({ range, interval }: { range: Range; interval: keyof typeof PERIOD_MS }): void {
  if (interval === 'day' || range === '7d') return
  const text = 'interval must be day if the range is longer than 7d: older calls are counted by day.'
  throw new DocentError('invalid_input', { text })
}

/** Calls by outcome, and those without a good answer. */
function outcomesIn(counts: readonly { outcome: Outcome; calls: number }[]) {
  const outcomes = { answered: 0, related: 0, none: 0, refused: 0, failed: 0 } satisfies Record<Outcome, number>
  for (const { outcome, calls } of counts) outcomes[outcome] += calls
  return {
    unanswered: sumOf(
      WITHOUT_ANSWER.map((name) => ({ calls: outcomes[name] })),
      'calls',
    ),
    outcomes,
  }
}

const sumOf = <Name extends string>(counts: readonly { [Key in Name]: number }[], name: Name): number =>
  counts.reduce((sum, count) => sum + count[name], 0)

/** Reads percentiles of calls, in milliseconds, rounded for people. Null without calls. */
export function createLatency() {
  const percentilesOf = createPercentiles()
  return (counts: readonly Pick<CallCount, 'durations'>[]) => {
    const sketches = counts.map(({ durations }) => durations)
    const [p50, p95, p99] = percentilesOf(sketches, [50, 95, 99]).map((ms) => ms && Math.round(ms * 100) / 100)
    return { p50Ms: p50 ?? null, p95Ms: p95 ?? null, p99Ms: p99 ?? null }
  }
}
