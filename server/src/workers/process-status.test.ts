import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { startCpuDeadline } from './process-status.ts'

const LIMIT_MS = 10_000

/** Simulates a process that gets `share` of a processor for `ms`. Returns when and why it was stopped. */
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

describe('CPU deadline', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('ends a process that has used up its processor time', () => {
    expect(run(1, 60_000)).toEqual([10, 'timeout'])
    expect(run(4, 60_000)).toEqual([10, 'timeout'])
  })

  test('grants a process on a busy machine extra elapsed time', () => {
    expect(run(0.5, 19_000)).toBe(null)
    expect(run(0.5, 60_000)).toEqual([20, 'timeout'])
  })

  test('ends a process that gets almost no processor time, with the reason that the machine is busy', () => {
    expect(run(0, 59_000)).toBe(null)
    expect(run(0, 600_000)).toEqual([60, 'busy'])
    expect(run(0.01, 600_000)).toEqual([60, 'busy'])
  })

  test('limits elapsed time if the system does not report processor time', () => {
    expect(run(null, 60_000)).toEqual([10, 'timeout'])
  })
})
