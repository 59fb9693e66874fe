import { createPercentiles } from '#lib/duration-sketch.ts'

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
