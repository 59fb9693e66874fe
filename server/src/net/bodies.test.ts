import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createByteBudget } from '#lib/limits/byte-budget.ts'
import { SMALL_BODY, createBodyMemory, decompress } from './bodies.ts'
import { NetError } from './net-error.ts'

const MB = 1 << 20
const { signal } = new AbortController()

test('does not count small bodies, however many there are', () => {
  const memory = createBodyMemory({ bodyBytes: 20 * MB })
  for (let n = 0; n < 100; n++) expect(memory.open(16 * MB).tryTake(SMALL_BODY)).toBe(true)
})

test('reserves the maximum size for a growing body, and makes the next one wait', async () => {
  const memory = createBodyMemory({ bodyBytes: 30 * MB })
  const [first, second] = [memory.open(16 * MB), memory.open(16 * MB)]
  expect([first.tryTake(SMALL_BODY), first.tryTake(1), second.tryTake(SMALL_BODY), second.tryTake(1)]).toEqual([
    true,
    true,
    true,
    false,
  ])
  // The first body has its whole reservation and does not wait.
  expect(first.tryTake(15 * MB - 1)).toBe(true)
  const waiting = second.take(1, signal)
  expect(await Promise.race([waiting, sleep(20, 'waiting')])).toBe('waiting')
  first.keep(2 * MB)
  await waiting
})

test('reclaims unused memory of a body', () => {
  const memory = createBodyMemory({ bodyBytes: 40 * MB })
  const [first, second] = [memory.open(30 * MB), memory.open(30 * MB)]
  first.tryTake(2 * MB)
  expect(second.tryTake(2 * MB)).toBe(false)
  first.keep(2 * MB)
  expect(second.tryTake(2 * MB)).toBe(true)
})

test('admits a body larger than the budget only alone', () => {
  const memory = createBodyMemory({ bodyBytes: 8 * MB })
  const first = memory.open(50 * MB)
  expect([first.tryTake(6 * MB), memory.open(50 * MB).tryTake(2 * MB), first.tryTake(30 * MB)]).toEqual([
    true,
    false,
    true,
  ])
})

test('counts downloads separately, by received bytes', async () => {
  const memory = createBodyMemory({ bodyBytes: 8 * MB, downloadBytes: 10 * MB })
  const [first, second] = [memory.open(128 * MB), memory.open(128 * MB)]
  expect([first.tryTake(6 * MB), second.tryTake(4 * MB), second.tryTake(1)]).toEqual([true, true, false])
  expect(memory.open(16 * MB).tryTake(2 * MB)).toBe(true)
})

const MAX = 1_000_000
/** Around the sizes of the decompression block and of Node's buffer pool. */
const SIZES = [1, 10, 5_000, 30_000, 40_000, 65_535, 65_536, 65_537, 200_000]
const CODINGS = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync }

test('returns decompressed bytes in an exactly sized buffer', async () => {
  for (const [coding, compress] of Object.entries(CODINGS))
    for (const size of SIZES) {
      const text = Buffer.alloc(size, 'some words of a page ')
      const compressed = compress(text)
      const bytes = await decompress(compressed, coding, { maxBytes: MAX })
      expect(Buffer.from(bytes).equals(text)).toBe(true)
      expect([bytes.byteOffset, bytes.buffer.byteLength]).toEqual([0, size])
      expect(compress(text).equals(compressed)).toBe(true)
    }
})

test('returns uncompressed bytes unchanged', async () => {
  const body = Buffer.from('as it came')
  expect(await decompress(body, '', { maxBytes: MAX })).toBe(body)
  expect(await decompress(body, 'identity', { maxBytes: MAX })).toBe(body)
})

const budgetOf = (totalBytes: number) =>
  createByteBudget({ totalBytes, waitMs: 300, onWait: () => new NetError('too_large', 'It waited too long.') })

test.each(Object.entries(CODINGS))(
  'decompresses %s up to its limit, and throws beyond it',
  async (coding, compress) => {
    for (const size of [100_000, 8 * MB]) {
      const body = compress(Buffer.alloc(size))
      expect((await decompress(body, coding, { maxBytes: size })).length).toBe(size)
      await expect(decompress(body, coding, { maxBytes: size - 1 })).rejects.toMatchObject({ reason: 'too_large' })
    }
  },
)

test('makes large bodies wait for their shared budget without exceeding it', async () => {
  const budget = budgetOf(40 * MB)
  const bomb = gzipSync(Buffer.alloc(30 * MB))
  let most = 0
  const one = async () => {
    const held = budget.open()
    try {
      const bytes = await decompress(bomb, 'gzip', { maxBytes: 32 * MB, held })
      most = Math.max(most, budget.held)
      return bytes.length
    } finally {
      held.keep(0)
    }
  }
  // Two half-finished bodies deadlock until one gives up. A crawl then retries the page.
  const patiently = async (pauseMs: number): Promise<number> =>
    one().catch(async () => {
      await sleep(pauseMs)
      return patiently(pauseMs * 2)
    })
  expect(await Promise.all([patiently(10), patiently(200)])).toEqual([30 * MB, 30 * MB])
  expect(most).toBeLessThanOrEqual(40 * MB)
  expect(budget.held).toBe(0)
})

test('fails with the error of the budget after too long a wait', async () => {
  const budget = budgetOf(2 * MB)
  budget.open().tryTake(2 * MB)
  const bomb = gzipSync(Buffer.alloc(8 * MB))
  await expect(decompress(bomb, 'gzip', { maxBytes: 32 * MB, held: budget.open() })).rejects.toThrow(
    'It waited too long.',
  )
})
