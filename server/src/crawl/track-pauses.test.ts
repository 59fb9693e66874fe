import { expect, test } from 'vitest'
import { createPacer } from '#net/pacing.ts'
import { trackPauses } from './track-pauses.ts'

test('reports the pause of the host that the job waits for', async () => {
  using shared = createPacer()
  const { pacer, pauseMs } = trackPauses(shared, 'acc')
  const stop = new AbortController()
  ;(await pacer.acquire('paused.example'))({ status: 429, elapsedMs: 5, retryAfter: '60' })
  expect(pauseMs()).toBe(0)
  const turn = pacer.acquire('paused.example', stop.signal)
  expect(pauseMs()).toBeGreaterThan(59_000)
  // Pauses of other jobs do not count.
  expect(trackPauses(shared, 'acc').pauseMs()).toBe(0)
  stop.abort()
  await expect(turn).rejects.toMatchObject({ reason: 'aborted' })
  expect(pauseMs()).toBe(0)
})

test('reports the shorter pause of two hosts', async () => {
  using shared = createPacer()
  const { pacer, pauseMs } = trackPauses(shared, 'acc')
  const stop = new AbortController()
  for (const [host, retryAfter] of [
    ['long.example', '60'],
    ['short.example', '20'],
  ] as const) {
    ;(await pacer.acquire(host))({ status: 429, elapsedMs: 5, retryAfter })
    pacer.acquire(host, stop.signal).catch(() => undefined)
  }
  expect(pauseMs()).toBeGreaterThan(19_000)
  expect(pauseMs()).toBeLessThanOrEqual(20_000)
  stop.abort()
})
