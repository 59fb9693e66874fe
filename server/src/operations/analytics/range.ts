import { DocentError } from '#errors.ts'
import type { Range } from '@docent/contract/values/analytics-fields'

export const DAY_MS = 24 * 60 * 60 * 1000
/** Lengths of the periods of a chart. */
export const PERIOD_MS = { day: DAY_MS, hour: DAY_MS / 24 }
const DAYS: Record<Range, number> = { '7d': 7, '30d': 30, '90d': 90, '1y': 365, all: Infinity }

/** Start of a range, in milliseconds since 1970. */
export const startOf = (range: Range, now: number): number => Math.max(0, now - DAYS[range] * DAY_MS)

/** The day of a time, in days since 1970, UTC. Counts are kept for whole days. */
export const dayOf = (at: number): number => Math.floor(at / DAY_MS)

/** The date of a day since 1970. */
export const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

/** Throws for hours of a longer range than a week. */
export function checkInterval({ range, interval }: { range: Range; interval: keyof typeof PERIOD_MS }): void {
  if (interval === 'hour' && range !== '7d') {
    throw new DocentError('invalid_input', {
      text: 'interval must be day if the range is longer than 7d: older calls are counted by day.',
    })
  }
}
