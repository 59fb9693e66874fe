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

/** Hours only exist for the last week. */
export const intervalOf = (query: URLSearchParams): 'day' | 'hour' =>
  rangeOf(query) === '7d' && query.get('interval') === 'hour' ? 'hour' : 'day'
