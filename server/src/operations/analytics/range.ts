import type { Range } from '@docent/contract/values/analytics-fields'

export const DAY_MS = 24 * 60 * 60 * 1000
const DAYS: Record<Range, number> = { '7d': 7, '30d': 30, '90d': 90, '1y': 365, all: Infinity }

/** Start of a range, in milliseconds since 1970. */
export const startOf = (range: Range, now: number): number => Math.max(0, now - DAYS[range] * DAY_MS)

/** The day of a time, in days since 1970, UTC. Counts are kept for whole days. */
export const dayOf = (at: number): number => Math.floor(at / DAY_MS)

/** The date of a day since 1970. */
export const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)
