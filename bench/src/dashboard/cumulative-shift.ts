/** An entry of type `layout-shift`. `startTime` in milliseconds. */
export type Shift = { startTime: number; value: number }

/** A window of shifts ends after a gap of 1 s, and after 5 s. */
const GAP_MS = 1_000
const WINDOW_MS = 5_000

/** Cumulative layout shift: the largest sum of a window. Source: https://web.dev/articles/cls. */
export function cumulativeShift(shifts: readonly Shift[]): number {
  let [most, sum, first, last] = [0, 0, -Infinity, -Infinity]
  for (const { startTime, value } of shifts) {
    if (startTime - last >= GAP_MS || startTime - first >= WINDOW_MS) [sum, first] = [0, startTime]
    sum += value
    last = startTime
    most = Math.max(most, sum)
  }
  return most
}
