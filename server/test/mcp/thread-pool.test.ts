import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { enableCompileCache } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { PoolError, type PoolRequest } from '#workers/pool-worker.ts'
import { type ThreadPoolOptions, openThreadPool } from '#workers/threads.ts'
import type { PoolTask } from '../support/processes/pool-thread.ts'

type Extra = Partial<Omit<PoolRequest<PoolTask>, 'task'>>

function openPool(options: Partial<ThreadPoolOptions> = {}) {
  const program = new URL('../support/processes/pool-thread.ts', import.meta.url)
  const notes: unknown[] = []
  const pool = openThreadPool<PoolTask, unknown>({
    program,
    workers: 1,
    onNote: (note) => notes.push(note),
    ...options,
  })
  const ask = async () => Promise.reject(new Error('Nobody answers.'))
  const run = (task: PoolTask, extra: Extra = {}) => pool.run({ task, queue: 'queue', owner: 'owner', ask, ...extra })
  return { pool, notes, run, [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose]() }
}

const value = (of: unknown): PoolTask => ({ do: 'return', value: of })
const spin = (ms: number): PoolTask => ({ do: 'spin', ms })

describe('thread pool', () => {
  test('starts threads with the first tasks and no more than its limit', async () => {
    await using opened = openPool({ workers: 2 })
    const { pool, run } = opened
    expect(pool.size).toBe(0)
    expect(await run(value(1))).toBe(1)
    expect(pool.size).toBe(1)
    expect(await Promise.all(Array.from({ length: 20 }, (_, at) => run(spin(at % 3))))).toHaveLength(20)
    expect(pool.size).toBe(2)
  })

  test('starts as many threads at once as it may, and the others after those', async () => {
    await using opened = openPool({ workers: 4, startsAtOnce: 2 })
    const { pool, run } = opened
    const sizes: number[] = []
    const tasks = [value(1), value(2), value(3), value(4)].map(async (task) => {
      const ran = run(task)
      sizes.push(pool.size)
      return ran
    })
    expect(sizes).toEqual([1, 2, 2, 2])
    expect(await Promise.all(tasks)).toEqual([1, 2, 3, 4])
    const more = Array.from({ length: 8 }, () => run(spin(20)))
    expect(pool.size).toBe(4)
    await Promise.all(more)
  })

  test('runs tasks on the threads there are while others start', async () => {
    await using opened = openPool({ workers: 4, startsAtOnce: 1 })
    const { pool, run } = opened
    await run(value('warm'))
    const spun = run(spin(1))
    const waiting = run(value('ahead'))
    expect(pool.size).toBe(2)
    expect(await Promise.all([spun, waiting])).toEqual(['spun', 'ahead'])
  })

  test('keeps a thread ready, also after the idle one has ended', async () => {
    await using opened = openPool({ isPrepared: true, idleAfterMs: 1 })
    const { pool, run } = opened
    expect(pool.size).toBe(1)
    pool.broadcast('to the first thread')
    expect(await run({ do: 'notes' })).toEqual(['to the first thread'])
    await expect.poll(() => run({ do: 'notes' })).toEqual([])
    expect(pool.size).toBe(1)
  })

  test('passes a thread the folder of the compile cache and no other variable', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'docent-test-'))
    enableCompileCache(folder)
    await using opened = openPool()
    expect(await opened.run({ do: 'list environment' })).toEqual(['NODE_COMPILE_CACHE'])
  })

  test('rejects with the error of a task and continues', async () => {
    await using opened = openPool()
    await expect(opened.run({ do: 'throw', message: 'wrong' })).rejects.toThrow(new TypeError('wrong'))
    expect(await opened.run(value('fine'))).toBe('fine')
    expect(opened.pool.size).toBe(1)
  })

  test('ends a task at its deadline and runs the others', async () => {
    await using opened = openPool({ deadlineMs: 200 })
    const { run } = opened
    const results = await Promise.allSettled([run(spin(600_000)), run(value('after'), { queue: 'other' })])
    expect(results).toEqual([
      { status: 'rejected', reason: expect.objectContaining({ name: 'PoolError', reason: 'deadline' }) },
      { status: 'fulfilled', value: 'after' },
    ])
  })

  test('lets a task finish below the deadline', async () => {
    await using opened = openPool({ deadlineMs: 2_000 })
    expect(await opened.run(spin(200))).toBe('spun')
  })

  test('does not count the time that a task waits for an answer', async () => {
    await using opened = openPool({ deadlineMs: 300 })
    const ask = async (method: string) => sleep(700, method)
    expect(await opened.run({ do: 'ask', method: 'slow', args: [] }, { ask })).toBe('slow')
  })

  test('ends a task that takes too much memory and continues', async () => {
    await using opened = openPool({ limits: { maxOldGenerationSizeMb: 32 }, deadlineMs: 60_000 })
    await expect(opened.run({ do: 'fill memory' })).rejects.toMatchObject({ name: 'PoolError', reason: 'memory' })
    expect(await opened.run(value('fine'))).toBe('fine')
  })

  test('gives other owners an extra thread while a task is slow, but not the same owner', async () => {
    await using opened = openPool({ deadlineMs: 60_000, slowAfterMs: 30 })
    const { run } = opened
    await run(value('warm'))
    const order: string[] = []
    const note = (name: string) => () => order.push(name)
    await Promise.all([
      run(spin(2_500), { owner: 'slow', queue: 'a' }).then(note('slow')),
      run(value(1), { owner: 'slow', queue: 'b' }).then(note('same owner')),
      run(value(2), { owner: 'quick', queue: 'c' }).then(note('other owner')),
    ])
    expect(order[0]).toBe('other owner')
    expect(order.toSorted()).toEqual(['other owner', 'same owner', 'slow'])
  })

  test('restarts a task that lost its thread to another task', async () => {
    await using opened = openPool({ deadlineMs: 150 })
    const { run } = opened
    const asked: string[] = []
    const { promise, resolve } = Promise.withResolvers<string>()
    const ask = async (method: string) => {
      asked.push(method)
      return promise
    }
    const waiting = run({ do: 'ask', method: 'x', args: [] }, { ask, queue: 'patient' })
    while (asked.length === 0) await sleep(5)
    await expect(run(spin(600_000), { owner: 'hostile', queue: 'hostile' })).rejects.toBeInstanceOf(PoolError)
    while (asked.length === 1) await sleep(5)
    resolve('answered')
    expect(await waiting).toBe('answered')
  })

  test('alternates between queues, however many tasks wait in one', async () => {
    await using opened = openPool()
    const { run } = opened
    await run(value('warm'))
    const order: string[] = []
    const many = Array.from({ length: 30 }, () => run(spin(2), { queue: 'many' }).then(() => order.push('many')))
    const one = run(value(1), { queue: 'one' }).then(() => order.push('one'))
    await Promise.all([...many, one])
    expect(order.indexOf('one')).toBeLessThan(4)
  })

  test('begins the next task of a thread while the main thread is busy', async () => {
    await using opened = openPool()
    const { run } = opened
    await run(value('warm'))
    const folder = await mkdtemp(join(tmpdir(), 'docent-pool-'))
    const paths = ['first', 'second'].map((name) => join(folder, name))
    const tasks = paths.map((path) => run({ do: 'write', path }))
    await sleep(5)
    // The main thread does nothing else until both have begun.
    const until = performance.now() + 20_000
    while (!paths.every((path) => existsSync(path)) && performance.now() < until);
    expect(paths.map((path) => existsSync(path))).toEqual([true, true])
    await Promise.all(tasks)
    await rm(folder, { recursive: true })
  })

  test('answers the next task of a thread while the task before it takes turns', async () => {
    await using opened = openPool({ deadlineMs: 5_000, slowAfterMs: 60_000 })
    const { run } = opened
    await run(value('warm'))
    const ask = async (method: string) => method
    const tasks = [
      run({ do: 'take turns', ms: 300 }),
      run({ do: 'ask', method: 'x', args: [] }, { ask }),
      run(value(3)),
    ]
    expect(await Promise.all(tasks)).toEqual(['took turns', 'x', 3])
  })

  test('lets an idle thread run the next task of a busy one', async () => {
    await using opened = openPool({ workers: 2, slowAfterMs: 60_000, deadlineMs: 60_000 })
    const { run } = opened
    await Promise.all([run(spin(400)), run(spin(400))])
    const order: string[] = []
    const tasks = [run(spin(1_500)).then(() => order.push('long')), run(spin(100)).then(() => order.push('short'))]
    // Each thread is busy and gets one of these.
    for (const name of ['next', 'next']) tasks.push(run(value(1)).then(() => order.push(name)))
    await Promise.all(tasks)
    expect(order).toEqual(['short', 'next', 'next', 'long'])
  })

  test('runs the next task of a thread elsewhere when the thread is lost', async () => {
    await using opened = openPool({ deadlineMs: 200, slowAfterMs: 60_000 })
    const { run } = opened
    await run(value('warm'))
    const [lost, next] = await Promise.allSettled([run(spin(600_000)), run(value('next'))])
    expect(lost).toMatchObject({ status: 'rejected', reason: { reason: 'deadline' } })
    expect(next).toEqual({ status: 'fulfilled', value: 'next' })
  })

  test('refuses tasks beyond the limit of their queue only', async () => {
    await using opened = openPool({ queueLimit: 3 })
    const { pool, run } = opened
    const taken = [run(spin(50)), run(spin(50)), run(spin(50))]
    expect(pool.isFull('queue')).toBe(true)
    await expect(run(value(1))).rejects.toMatchObject({ reason: 'full' })
    expect(await run(value('other'), { queue: 'other' })).toBe('other')
    await Promise.all(taken)
    expect(pool.isFull('queue')).toBe(false)
    expect(await run(value('again'))).toBe('again')
  })

  test('refuses tasks beyond the limit of all queues', async () => {
    await using opened = openPool({ totalLimit: 2 })
    const { run } = opened
    const taken = [run(spin(20), { queue: 'a' }), run(spin(20), { queue: 'b' })]
    await expect(run(value(1), { queue: 'c' })).rejects.toMatchObject({ reason: 'full' })
    await Promise.all(taken)
    expect(await run(value('again'), { queue: 'c' })).toBe('again')
  })
})

describe('abort signal', () => {
  test('removes a waiting task from its queue', async () => {
    await using opened = openPool({ queueLimit: 2 })
    const { pool, run } = opened
    const left = new AbortController()
    const first = run(spin(100))
    const second = run(value(2), { signal: left.signal })
    left.abort(new Error('left'))
    await expect(second).rejects.toThrow('left')
    expect(pool.isFull('queue')).toBe(false)
    expect(await first).toBe('spun')
  })

  test('removes a task that a busy thread was given in advance', async () => {
    await using opened = openPool({ slowAfterMs: 60_000 })
    const { run } = opened
    await run(value('warm'))
    const left = new AbortController()
    const first = run(spin(200))
    const second = run({ do: 'tell', note: 'ran' }, { signal: left.signal })
    left.abort(new Error('left'))
    await expect(second).rejects.toThrow('left')
    expect(await first).toBe('spun')
    expect(await run(value('after'))).toBe('after')
    expect(opened.notes).toEqual([])
  })

  test('rejects all tasks of a signal, and no others', async () => {
    await using opened = openPool({ workers: 1 })
    const [left, stays] = [new AbortController(), new AbortController()]
    const run = (of: number, { signal }: AbortController) => opened.run(value(of), { signal })
    const running = opened.run({ do: 'wait for abort' }, { signal: left.signal })
    const tasks = [running, run(1, left), run(2, left), run(3, stays)]
    left.abort(new Error('left'))
    expect((await Promise.allSettled(tasks)).map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
      'rejected',
      'fulfilled',
    ])
  })

  test('passes the abort signal to a running task and its requests', async () => {
    await using opened = openPool()
    const left = new AbortController()
    const asked = Promise.withResolvers<boolean>()
    const ask = async (_method: string, _args: unknown[], signal: AbortSignal) => asked.resolve(signal.aborted)
    await opened.run(value('warm'))
    const task = opened.run({ do: 'wait for abort' }, { signal: left.signal, ask })
    setTimeout(() => left.abort(new Error('left')), 300)
    await expect(task).rejects.toThrow('left')
    expect(await asked.promise).toBe(true)
  })

  test('aborts a request that is being answered', async () => {
    await using opened = openPool()
    const left = new AbortController()
    const asked = Promise.withResolvers<void>()
    const aborted = Promise.withResolvers<void>()
    const ask = async (_method: string, _args: unknown[], signal: AbortSignal) => {
      asked.resolve()
      signal.addEventListener('abort', () => aborted.resolve())
      return aborted.promise
    }
    const task = opened.run({ do: 'ask', method: 'x', args: [] }, { signal: left.signal, ask })
    await asked.promise
    left.abort(new Error('left'))
    await expect(task).rejects.toThrow('left')
    await aborted.promise
  })
})

test('passes notes from a thread to the others or back, and its own to all', async () => {
  await using opened = openPool({
    workers: 2,
    onNote: (note: unknown, { back, others }) => (note === 'back' ? back : others)(`${String(note)} again`),
  })
  const { pool, run } = opened
  await Promise.all([run(spin(400)), run(spin(400))])
  expect(pool.size).toBe(2)
  await run({ do: 'tell', note: 'others' })
  await run({ do: 'tell', note: 'back' })
  pool.broadcast('all')
  const lists = (await Promise.all([run({ do: 'notes' }), run({ do: 'notes' })])) as string[][]
  expect(lists.flat().toSorted()).toEqual(['all', 'all', 'back again', 'others again'])
})

test('rejects unfinished tasks when it closes', async () => {
  const { pool, run } = openPool()
  const tasks = [run(spin(600_000)), run(value(1))]
  const settled = Promise.allSettled(tasks)
  await sleep(50)
  await pool[Symbol.asyncDispose]()
  expect(await settled).toMatchObject([{ reason: { reason: 'closed' } }, { reason: { reason: 'closed' } }])
  await expect(run(value(1))).rejects.toMatchObject({ reason: 'closed' })
})
