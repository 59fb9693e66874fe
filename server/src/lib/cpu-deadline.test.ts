import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { startCpuDeadline } from './cpu-deadline.ts'

const LIMIT_MS = 10_000

/** Runs the clock of a process that gets `share` of a processor for `ms`, and returns when it was stopped and why. */
function run(share: number | null, ms: number): [seconds: number, why: string] | null {
  const began = performance.now()
  const cpuMs = () => (share === null ? null : 500 + (performance.now() - began) * share)
  let over: [number, string] | null = null
  const onOver = (why: string) => (over = [Math.round((performance.now() - began) / 1_000), why])
  const stop = startCpuDeadline({ cpuMs }, { limitMs: LIMIT_MS, onOver })
  vi.advanceTimersByTime(ms)
  stop()
  return over
}

describe('a limit of processor time', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('ends a process that has used it', () => {
    expect(run(1, 60_000)).toEqual([10, 'timeout'])
    expect(run(4, 60_000)).toEqual([10, 'timeout'])
  })

  test('gives a process on a busy machine the time that it lacks', () => {
    expect(run(0.5, 19_000)).toBe(null)
    expect(run(0.5, 60_000)).toEqual([20, 'timeout'])
  })

  test('ends a process that gets next to no time, and says that the machine is busy', () => {
    expect(run(0, 59_000)).toBe(null)
    expect(run(0, 600_000)).toEqual([60, 'busy'])
    expect(run(0.01, 600_000)).toEqual([60, 'busy'])
  })

  test('is one of elapsed time where the system does not tell what a process used', () => {
    expect(run(null, 60_000)).toEqual([10, 'timeout'])
  })
})
