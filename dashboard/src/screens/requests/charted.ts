import { OUTCOMES } from '@docent/contract/values/outcomes'
import type { Output } from '@docent/sdk'
import { OUTCOME_WORDS } from '../../lib/words.ts'
import type { Range } from './range.ts'

type Series = Output<'analytics.series'>
type Group = Series['groups'][number]
type Interval = Series['interval']
type Daily = NonNullable<Output<'analytics.report'>['series']>

/** A series of the chart. Null: nothing to show in this period. */
export type Line = { title: string; values: (number | null)[]; isBad?: true }
/** The data of a chart: start times of periods in milliseconds, and lines of the same length. */
export type Charted = { at: number[]; lines: Line[]; interval: Interval }

export const PERIOD_MS: Record<Interval, number> = { day: 86_400_000, hour: 3_600_000 }
/** Days before today that a period shows, with or without calls. Longer periods begin with their first call. */
const DAYS: Partial<Record<Range, number>> = { '7d': 7, '30d': 30, '90d': 90 }
/** Groups with a tint. The others are one. */
const MOST = 7

type Quality = Pick<Output<'analytics.quality'>, 'range' | 'interval' | 'points'>

/** Calls by outcome, without those outcomes other than the first that no call of the range had. */
export function byOutcome({ range, interval, points }: Quality, now: number): Charted {
  const known = new Map(points.map((point) => [Date.parse(point.at), point.outcomes]))
  const at = periods({ range, interval, first: Math.min(now, ...known.keys()) }, now)
  const lines = OUTCOMES.map((outcome): Line => {
    const values = at.map((time) => known.get(time)?.[outcome] ?? 0)
    return { title: OUTCOME_WORDS[outcome], values, ...(outcome === 'failed' ? { isBad: true } : {}) }
  })
  return {
    at,
    interval,
    lines: lines.filter(({ values }, index) => index === 0 || values.some((calls) => calls !== 0)),
  }
}

/** What people call a client. */
type NameOf = (name: string | null) => string | null

/** Calls of each group, the largest first. */
export function byGroup(series: Series, now: number, nameOf: NameOf = (name) => name): Charted {
  const at = periodsOf(series, now)
  const lines = series.groups.slice(0, MOST).map((group) => ({
    title: titleOf({ ...group, name: nameOf(group.name) }),
    values: sums(at, [group], ({ calls }) => calls),
  }))
  const others = series.groups.slice(MOST)
  if (others.length > 0) lines.push({ title: 'others', values: sums(at, others, ({ calls }) => calls) })
  return { at, lines, interval: series.interval }
}

export const titleOf = ({ name, label }: Pick<Group, 'name' | 'label'>): string => label ?? name ?? 'without a name'

/** The part of a chart within a span of time. */
export function within({ at, lines, interval }: Charted, [from, to]: readonly [number, number]): Charted {
  const isShown = (_: unknown, index: number) => (at[index] ?? 0) >= from && (at[index] ?? 0) < to
  return {
    interval,
    at: at.filter(isShown),
    lines: lines.map((line) => ({ ...line, values: line.values.filter(isShown) })),
  }
}

type Timed = { at: number; p50Ms: number | null; p95Ms: number | null }

/** How long calls took: half of them, and the slowest. */
function durations(points: readonly Timed[], at: number[], interval: Interval): Charted {
  const known = new Map(points.map((point) => [point.at, point]))
  return {
    at,
    interval,
    lines: [
      { title: 'half within', values: at.map((one) => known.get(one)?.p50Ms ?? null) },
      { title: 'slowest 5% over', values: at.map((one) => known.get(one)?.p95Ms ?? null) },
    ],
  }
}

/** Durations of one group. */
export function durationsOfGroup(series: Series, now: number): Charted {
  const points = series.groups[0]?.points.map(({ at, ...rest }) => ({ ...rest, at: Date.parse(at) })) ?? []
  return durations(points, periodsOf(series, now), series.interval)
}

/** Durations of all calls, by day. */
export function durationsOfAll(series: Daily, range: Range, now: number): Charted {
  const points = series.map(({ date, ...rest }) => ({ ...rest, at: Date.parse(date) }))
  return durations(points, periods({ range, interval: 'day', first: points[0]?.at ?? now }, now), 'day')
}

/** Calls of the range and of an equal number of days before it. Null for a range without a previous one. */
export function compared(wider: Series, range: Range, now: number): { calls: number; before: number } | null {
  const days = DAYS[range]
  if (days === undefined) return null
  const first = startOf(now, 'day') - days * PERIOD_MS.day
  const points = wider.groups.flatMap((group) => group.points)
  const within = (from: number, to: number) =>
    points.reduce((sum, { at, calls }) => sum + (Date.parse(at) >= from && Date.parse(at) < to ? calls : 0), 0)
  return { calls: within(first, Infinity), before: within(first - (days + 1) * PERIOD_MS.day, first) }
}

/** The range that contains another one and as many days before it. */
export const WIDER: Partial<Record<Range, Range>> = { '7d': '30d', '30d': '90d', '90d': '1y' }

function sums(
  at: readonly number[],
  groups: readonly Group[],
  of: (point: Group['points'][number]) => number,
): number[] {
  const byTime = new Map<number, number>()
  for (const point of groups.flatMap(({ points }) => points)) {
    const time = Date.parse(point.at)
    byTime.set(time, (byTime.get(time) ?? 0) + of(point))
  }
  return at.map((time) => byTime.get(time) ?? 0)
}

function periodsOf({ range, interval, groups }: Series, now: number): number[] {
  const times = groups.flatMap(({ points }) => points.map(({ at }) => Date.parse(at)))
  return periods({ range, interval, first: Math.min(now, ...times) }, now)
}

type Wanted = { range: Range; interval: Interval; first: number }

/** The service leaves out periods without calls. */
function periods({ range, interval, first }: Wanted, now: number): number[] {
  const step = PERIOD_MS[interval]
  const last = startOf(now, interval)
  const shown = DAYS[range]
  const begin = Math.min(
    startOf(first, interval),
    shown === undefined ? last : startOf(now, 'day') - shown * PERIOD_MS.day,
  )
  return Array.from({ length: (last - begin) / step + 1 }, (_, index) => begin + index * step)
}

/** Periods are in UTC. */
const startOf = (time: number, interval: Interval): number =>
  Math.floor(time / PERIOD_MS[interval]) * PERIOD_MS[interval]
