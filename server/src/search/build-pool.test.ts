import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { BuildPool } from './build-pool.ts'
import { openSegment } from './segment/open-segment.ts'
import { samplePage } from '../../test/support/lib/sample-pages.ts'

const pages = Array.from({ length: 40 }, (_, index) =>
  samplePage(`page-${index}`, `Page ${index}`, [{ heading: 'Text', text: `word${index % 7} of topic${index % 5}` }]),
)
const compressed = pages.map(({ page, markdown }) => ({ page, markdown: zstdCompressSync(Buffer.from(markdown)) }))

test('builds and merges segments in another process', async () => {
  await using pool = new BuildPool()
  const [first, second] = await Promise.all([pool.build(pages.slice(0, 10)), pool.build(compressed.slice(10))])
  expect(openSegment(first).pageCount).toBe(10)
  const merged = await pool.merge([first, second])
  const segment = openSegment(merged ?? new Uint8Array())
  expect(segment.pageCount).toBe(40)
  expect(segment.vectors?.pages.length).toBe(40 * (segment.vectors?.dimensions ?? 0))
  expect(await pool.merge([merged ?? new Uint8Array()])).toBeNull()
})

test('confines the error of one task to that task', async () => {
  await using pool = new BuildPool()
  const damaged = pool.merge([new Uint8Array(64)])
  const fine = pool.build(pages)
  await expect(damaged).rejects.toThrow('not a segment')
  expect(openSegment(await fine).pageCount).toBe(40)
})

test('rejects only the task that crashed the process', async () => {
  await using pool = new BuildPool({ memoryMb: 24 })
  const words = Array.from({ length: 400_000 }, (_, index) => `w${index.toString(36)}x`).join(' ')
  const huge = pool.build([samplePage('huge', 'Huge', [{ heading: 'Text', text: words }])])
  const fine = pool.build(pages)
  await expect(huge).rejects.toThrow('too much memory')
  expect(openSegment(await fine).pageCount).toBe(40)
})

test('ends its process when idle and starts another when needed', async () => {
  await using pool = new BuildPool({ idleAfterMs: 20 })
  await pool.build(pages)
  await sleep(100)
  expect(openSegment(await pool.build(pages)).pageCount).toBe(40)
})

test('rejects pending and later tasks when closed', async () => {
  const pool = new BuildPool()
  const building = pool.build(pages)
  const outcome = expect(building).rejects.toThrow('closed')
  await pool[Symbol.asyncDispose]()
  await outcome
  await expect(pool.build(pages)).rejects.toThrow('closed')
})

test('builds when the service has a lower priority than its child processes', () => {
  const program = new URL('../../test/support/processes/build-once.ts', import.meta.url).pathname
  const printed = execFileSync('nice', ['-n', '15', process.execPath, program], { encoding: 'utf8' })
  expect(printed).toBe('1\n')
})
