import { describe, expect, test } from 'vitest'
import { createFairLimiter, LimiterFullError } from './fair-limiter.ts'

/** Work that ends on request, and a log of the order in which it began. */
function openWork() {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const work = (name: string) => () => {
    begun.push(name)
    const { promise, resolve } = Promise.withResolvers<string>()
    ends.push(() => resolve(name))
    return promise
  }
  const endFirst = async () => {
    ends.shift()?.()
    await settle()
  }
  return { begun, work, endFirst }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('fair limiter', () => {
  test('bounds concurrency in total and per key', async () => {
    const { begun, work, endFirst } = openWork()
    const { run } = createFairLimiter({ atOnce: 3, perKey: 2, maxWaiting: 10 })
    const all = ['a1', 'a2', 'a3', 'b1', 'b2'].map((name) => run(name.slice(0, 1), work(name)))
    await settle()
    expect(begun).toEqual(['a1', 'a2', 'b1'])
    await endFirst()
    expect(begun).toHaveLength(4)
    for (let n = 0; n < 5; n++) await endFirst()
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1', 'b2'])
  })

  test('alternates between keys, however much one of them has queued', async () => {
    const { begun, work, endFirst } = openWork()
    const { run } = createFairLimiter({ atOnce: 1, perKey: 1, maxWaiting: 1_000 })
    for (let n = 0; n < 100; n++) void run('greedy', work('greedy'))
    void run('other', work('other'))
    void run('third', work('third'))
    await settle()
    for (let n = 0; n < 4; n++) await endFirst()
    expect(begun).toEqual(['greedy', 'greedy', 'other', 'third', 'greedy'])
  })

  test('removes queued work when its caller leaves, and never begins it', async () => {
    const { begun, work, endFirst } = openWork()
    const { run } = createFairLimiter({ atOnce: 1, perKey: 1, maxWaiting: 10 })
    const leaving = new AbortController()
    const first = run('a', work('first'))
    const second = run('a', work('second'), leaving.signal)
    leaving.abort(new Error('gone'))
    await expect(second).rejects.toThrow('gone')
    await expect(run('a', work('late'), leaving.signal)).rejects.toThrow('gone')
    await endFirst()
    expect(await first).toBe('first')
    expect(await Promise.race([run('a', work('third')), settle()])).toBeUndefined()
    expect(begun).toEqual(['first', 'third'])
  })

  test('refuses only a key with too much queued work', async () => {
    const { work } = openWork()
    const { run } = createFairLimiter({ atOnce: 1, perKey: 1, maxWaiting: 2 })
    for (let n = 0; n < 3; n++) void run('a', work('a'))
    await expect(run('a', work('a'))).rejects.toThrow(LimiterFullError)
    expect(await Promise.race([run('b', work('b')), settle()])).toBeUndefined()
  })

  test('releases the slot of failed work', async () => {
    const { run } = createFairLimiter({ atOnce: 1, perKey: 1, maxWaiting: 2 })
    await expect(run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(await run('a', async () => 'fine')).toBe('fine')
  })
})
