import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import { takeFromWindow } from '#auth/rate-limit.ts'
import { deleteExpiredRateLimits } from '#store/rate-limits.ts'
import { makePlace, makeStore, onBothEngines } from './engines.ts'

const START = 1_800_000_000_000

onBothEngines('a sliding window', (engine) => {
  test('lets through exactly what a log of all hits would', async () => {
    await using store = await makeStore(engine)
    let run = 0
    const steps = fc.array(fc.record({ wait: fc.nat(70), count: fc.integer({ min: 1, max: 3 }) }), { maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 3, max: 6 }), async (given, limit) => {
        const key = `run ${run++}`
        let now = START
        let log: number[] = []
        for (const { wait, count } of given) {
          now += wait
          log = log.filter((at) => at > now - 100)
          const passes = log.length + count <= limit
          const waitMs = await takeFromWindow(store, { key, limit, windowMs: 100, now, count })
          expect(waitMs === 0).toBe(passes)
          if (passes) log.push(...Array<number>(count).fill(now))
          else {
            // The time that is told is the first at which it passes: a millisecond sooner it would not.
            const left = (at: number) => log.filter((hit) => hit > at - 100).length
            expect(left(now + waitMs) + count).toBeLessThanOrEqual(limit)
            expect(left(now + waitMs - 1) + count).toBeGreaterThan(limit)
          }
        }
      }),
      { numRuns: engine === 'sqlite' ? 100 : 25 },
    )
  })

  test('never lets through more at once than the limit', async () => {
    await using store = await makeStore(engine)
    expect(await takeFromWindow(store, { key: 'k', limit: 3, windowMs: 100, now: START, count: 4 })).toBe(100)
  })

  test('is forgotten after it has passed', async () => {
    await using store = await makeStore(engine)
    await takeFromWindow(store, { key: 'k', limit: 3, windowMs: 100, now: START })
    await deleteExpiredRateLimits(store.write, START + 100)
    expect(await store.read.selectFrom('rateLimits').select('key').execute()).toHaveLength(1)
    await deleteExpiredRateLimits(store.write, START + 101)
    expect(await store.read.selectFrom('rateLimits').select('key').execute()).toEqual([])
  })
})

test.skipIf(inject('postgresUrl') === '')('of six nodes at the same moment exactly the limit passes', async () => {
  await using place = await makePlace('postgres')
  if (place.database.engine !== 'postgres') throw new Error('not on PostgreSQL')
  const { url } = place.database
  const program = join(import.meta.dirname, 'processes', 'take-from-window.ts')
  const node = () => promisify(execFile)(process.execPath, [program, url, 'shared', '200', '90'])
  // One goes first and makes the tables, so that the others meet at the limit and not at the migration.
  const first = await node()
  const others = await Promise.all(Array.from({ length: 5 }, node))
  expect([first, ...others].map(({ stdout }) => Number(stdout)).reduce((a, b) => a + b)).toBe(200)
})
