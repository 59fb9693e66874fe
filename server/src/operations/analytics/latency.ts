import { type Histogram, percentilesOf } from '#lib/duration-sketch.ts'

/** Percentiles in milliseconds, rounded for people. Null values without calls. */
export function latencyOf(durations: Histogram) {
  const [p50 = null, p95 = null, p99 = null] = percentilesOf(durations, [50, 95, 99])
  return { p50Ms: rounded(p50), p95Ms: rounded(p95), p99Ms: rounded(p99) }
}

const rounded = (value: number | null): number | null => (value === null ? null : Math.round(value * 100) / 100)
