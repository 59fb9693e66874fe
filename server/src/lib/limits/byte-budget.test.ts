import { expect, test } from 'vitest'
import { createByteBudget, freeBytes } from './byte-budget.ts'

const { signal } = new AbortController()
const open = (totalBytes: number, waitMs = 60_000) =>
  createByteBudget({ totalBytes, waitMs, onWait: () => new Error('waited too long') })

test('grants bytes up to its total, and makes further users wait until some are released', async () => {
  const budget = open(100)
  const [a, b] = [budget.open(), budget.open()]
  expect([a.tryTake(60), b.tryTake(40), b.tryTake(1)]).toEqual([true, true, false])
  let isThere = false
  const waiting = b.take(30, signal).then(() => (isThere = true))
  a.keep(31)
  await Promise.resolve()
  expect([isThere, budget.held]).toEqual([false, 71])
  a.keep(30)
  await waiting
  expect(budget.held).toBe(100)
})

test('serves waiting users in order without overtaking', async () => {
  const budget = open(100)
  const [a, b, c] = [budget.open(), budget.open(), budget.open()]
  a.tryTake(90)
  const order: string[] = []
  const large = b.take(50, signal).then(() => order.push('large'))
  const small = c.take(10, signal).then(() => order.push('small'))
  expect(order).toEqual([])
  a.keep(0)
  await Promise.all([large, small])
  expect(order).toEqual(['large', 'small'])
})

test('lets the only holder exceed the total, so that it does not wait for itself', async () => {
  const budget = open(100)
  const one = budget.open()
  await one.take(90, signal)
  await one.take(90, signal)
  expect(budget.held).toBe(180)
})

test('ends the wait of users that wait for each other', async () => {
  const budget = open(100, 20)
  const [a, b] = [budget.open(), budget.open()]
  a.tryTake(50)
  b.tryTake(50)
  const results = await Promise.allSettled([a.take(10, signal).finally(() => a.keep(0)), b.take(10, signal)])
  expect(results.map(({ status }) => status)).toContain('rejected')
  a.keep(0)
  b.keep(0)
  expect(budget.held).toBe(0)
})

test('ends a wait when its signal aborts', async () => {
  const budget = open(10)
  budget.open().tryTake(10)
  const stop = new AbortController()
  const waiting = budget.open().take(1, stop.signal)
  stop.abort(new Error('no more'))
  await expect(waiting).rejects.toThrow('no more')
})

test('frees bytes with a separate buffer', () => {
  const bytes = new Uint8Array(100_000).fill(7)
  const { buffer } = bytes
  freeBytes(bytes)
  expect([buffer.byteLength, buffer.detached, bytes.byteLength]).toEqual([0, true, 0])
})

test('keeps bytes that share a buffer with others', () => {
  const shared = new Uint8Array(100).fill(7)
  for (const part of [shared.subarray(0, 50), shared.subarray(50), Buffer.from('small ones lie in one block')]) {
    const before = [...part]
    freeBytes(part)
    expect([...part]).toEqual(before)
  }
  expect(shared).toEqual(new Uint8Array(100).fill(7))
})
