import { describe, expect, test } from 'vitest'
import { overLimit } from './process-status.ts'

const LIMIT_MS = 10_000

/** Simulates a task whose process gets `share` of a processor for `ms`. Returns when and why it exceeds its limit. */
function run(share: number | null, ms: number): [seconds: number, why: string] | null {
  for (let elapsedMs = LIMIT_MS; elapsedMs <= ms; elapsedMs += 25) {
    const why = overLimit({ elapsedMs, cpuMs: share === null ? null : elapsedMs * share }, LIMIT_MS)
    if (why) return [Math.round(elapsedMs / 1_000), why]
  }
  return null
}

describe('CPU deadline', () => {
  test('ends a process that has used up its processor time', () => {
    expect(run(1, 60_000)).toEqual([10, 'deadline'])
    expect(run(4, 60_000)).toEqual([10, 'deadline'])
  })

  test('grants a process on a busy machine extra elapsed time', () => {
    expect(run(0.5, 19_000)).toBe(null)
    expect(run(0.5, 60_000)).toEqual([20, 'deadline'])
  })

  test('ends a process that gets almost no processor time, with the reason that the machine is busy', () => {
    expect(run(0, 59_000)).toBe(null)
    expect(run(0, 600_000)).toEqual([60, 'busy'])
    expect(run(0.01, 600_000)).toEqual([60, 'busy'])
  })

  test('limits elapsed time if the system does not report processor time', () => {
    expect(run(null, 60_000)).toEqual([10, 'deadline'])
  })
})
