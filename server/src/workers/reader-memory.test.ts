import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { PagePool } from '#readers/page-pool.ts'
import { parseInChild } from '#readers/parse-in-child.ts'
import { RepositoryProcess } from '#readers/repository-process.ts'
import { createReaderMemory } from './reader-memory.ts'

const { signal } = new AbortController()
const LIMITS = { memoryMb: 128, killAfterMs: 20_000 }
const description = (operations: number) => {
  const paths = Object.fromEntries(Array.from({ length: operations }, (_, at) => [`/${at}`, { get: { summary: 'S' } }]))
  const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths })
  return { url: 'https://a.test/', bytes: Buffer.from(text), contentType: 'application/json' }
}
const parse = async (memory: ReturnType<typeof createReaderMemory>, limits = LIMITS, operations = 1) =>
  parseInChild({ name: 'api', input: { root: description(operations), files: null } }, limits, { signal, memory })

describe('reader memory', () => {
  test('admits documents while memory is left, and queues the others', async () => {
    const memory = createReaderMemory(300)
    const first = await memory.reserve(200, { signal })
    const second = await memory.reserve(100, { signal })
    let isIn = false
    const third = memory.reserve(1, { signal }).then((share) => {
      isIn = true
      return share
    })
    await sleep(20)
    expect(isIn).toBe(false)
    second.release()
    const share = await third
    share.release()
    first.release()
    expect(memory.tryReserve(300)).not.toBe(null)
  })

  test('grants all memory to a document that requests more than the total', async () => {
    const memory = createReaderMemory(300)
    const share = await memory.reserve(1_000, { signal })
    expect([share.mb, memory.tryReserve(1)]).toEqual([300, null])
  })

  test('reclaims memory from finished and killed readers', async () => {
    const memory = createReaderMemory(256)
    expect(await parse(memory)).toMatchObject({ kind: 'done' })
    expect(await parse(memory, { memoryMb: 128, killAfterMs: 1 }, 5_000)).toMatchObject({ kind: 'killed' })
    expect(memory.tryReserve(256)).not.toBe(null)
  })

  test('reads documents in sequence if the memory suffices for one only', async () => {
    const memory = createReaderMemory(256)
    const results = await Promise.all([parse(memory), parse(memory), parse(memory)])
    expect(results.map(({ kind }) => kind)).toEqual(['done', 'done', 'done'])
  })

  test('reclaims memory from a repository waiting for its next file', async () => {
    const memory = createReaderMemory(256)
    await using child = new RepositoryProcess({ signal, memory })
    const read = async () => {
      const bytes = new Uint8Array(Buffer.from('# Title\n\nText of the file.'))
      return child.run('read', { path: 'a.md', kind: 'markdown', bytes })
    }
    expect(await read()).toMatchObject({ kind: 'done' })
    expect(memory.tryReserve(256)).toBe(null)
    // The child holds all memory, but is idle now.
    expect(await parse(memory)).toMatchObject({ kind: 'done' })
    expect(await read()).toMatchObject({ kind: 'done' })
  })

  test('starts an extra page process during a slow page only if memory is left', async () => {
    const memory = createReaderMemory(192)
    await using pool = new PagePool({ workers: 1, memory, slowAfterMs: 50, killAfterMs: 3_000 })
    // Nine seconds for the parser, so that a machine three times as fast still exceeds the limit.
    const slow = Buffer.from('<div>'.repeat(2_900) + '</x>'.repeat(4_500_000))
    const task = (bytes: Uint8Array, url: string) => ({ url, contentType: 'text/html', bytes })
    const hostile = pool.share().process(task(slow, 'https://a.test/slow'))
    await sleep(500)
    const share = memory.tryReserve(1)
    const honest = pool.share().process(task(Buffer.from('<main><h1>T</h1><p>Text.</p></main>'), 'https://b.test/'))
    await sleep(500)
    expect(pool.size).toBe(1)
    share?.release()
    expect(await hostile).toMatchObject({ kind: 'killed' })
    expect(await honest).toMatchObject({ kind: 'page' })
  })
})
