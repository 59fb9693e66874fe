export const RANGES = {
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
  '1y': 'Last year',
  all: 'Since the beginning',
} as const
export type Range = keyof typeof RANGES

/** The period in the address; 30 days without one. */
export function rangeOf(query: URLSearchParams): Range {
  const range = query.get('range') ?? ''
  return range in RANGES ? (range as Range) : '30d'
}

const DAY_MS = 86_400_000
/** Hours exist for so many days. */
const HOURLY_DAYS = 7

/** Days of the chart (UTC), within the period. */
export type Days = { from: string; to: string }

/** The days in the address that the chart shows instead of the whole period, or null. */
export function daysOf(query: URLSearchParams): Days | null {
  const [from = '', to = ''] = [query.get('from'), query.get('to')].map((text) => text ?? '')
  const given = { from: from || to, to: to || from }
  const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
  return isDay(given.from) && isDay(given.to) && given.from <= given.to ? given : null
}

/** What the chart asks for: hours for one day, days otherwise. The hours of all days only for the last week. */
export function chartPeriod(query: URLSearchParams, now: number): { range: Range; interval: 'day' | 'hour' } {
  const range = rangeOf(query)
  const days = daysOf(query)
  const hasHours = days !== null && days.from === days.to && Date.parse(days.from) > now - HOURLY_DAYS * DAY_MS
  if (hasHours) return { range: '7d', interval: 'hour' }
  return { range, interval: range === '7d' && query.get('interval') === 'hour' ? 'hour' : 'day' }
}

/** The first and the last moment of days, in milliseconds. The end is exclusive. */
export const spanOf = ({ from, to }: Days): [number, number] => [Date.parse(from), Date.parse(to) + DAY_MS]
