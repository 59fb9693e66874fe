import { afterEach, describe, expect, it } from 'vitest'
import { zstdDecompressSync } from 'node:zlib'
import { PagePool, type PagePoolOptions } from './page-pool.ts'

const pools: PagePool[] = []
const pool = (options: PagePoolOptions = {}) => {
  const created = new PagePool({ workers: 1, ...options })
  pools.push(created)
  return created
}
const page = (html: string, url = 'https://docs.example/guide') => ({
  url,
  contentType: 'text/html',
  bytes: Buffer.from(html),
})
const article = (text: string) => `<!doctype html><title>Guide</title><main><h1 id="g">Guide</h1><p>${text}</p></main>`
/** Regular expressions are not to blame here: this nesting makes the parser itself slow. */
const slow = () => page('<div>'.repeat(2_900) + '</span>'.repeat(2_000_000))

afterEach(async () => {
  await Promise.all(pools.splice(0).map((created) => created.close()))
})

describe('the page pool', () => {
  it('turns a document into text, hash, passages and compressed Markdown', async () => {
    const result = await pool().process(page(article('Install it with one command.')))
    if (result.kind !== 'page' || result.unchanged) throw new Error(JSON.stringify(result))
    expect(result.page.title).toBe('Guide')
    expect(zstdDecompressSync(result.compressed).toString()).toBe('# Guide\n\nInstall it with one command.')
    expect(result.textHash).toMatch(/^[0-9a-f]{32}$/)
    expect(result.chunks).toEqual([{ start: 0, end: 37, headings: [], anchor: 'g', code: [] }])
  })

  it('spares the work on a text that did not change', async () => {
    const threads = pool()
    const first = await threads.process(page(article('Same words.')))
    if (first.kind !== 'page') throw new Error('no page')
    const again = await threads.process({ ...page(article('Same   words.')), previousTextHash: first.textHash })
    expect(again).toMatchObject({
      kind: 'page',
      unchanged: true,
      compressed: null,
      chunks: [],
      textHash: first.textHash,
    })
  })

  it('kills a page that takes too long, and does those behind it', async () => {
    const threads = pool({ killAfterMs: 700 })
    await threads.process(page(article('warm')))
    const results = await Promise.all([
      threads.process(slow()),
      threads.process(page(article('one'))),
      threads.process(page(article('two'))),
    ])
    expect(results[0]).toEqual({ kind: 'killed', reason: 'timeout' })
    expect(results.slice(1).map((result) => result.kind)).toEqual(['page', 'page'])
  })

  it('survives a page that needs too much memory', async () => {
    const threads = pool({ memoryMb: 24 })
    const bomb = threads.process(page('<p>x<b>y</b>'.repeat(120_000)))
    const after = threads.process(page(article('still here')))
    expect(await bomb).toEqual({ kind: 'killed', reason: 'memory' })
    expect((await after).kind).toBe('page')
  })

  it.each([
    ['blanks in code', `<pre>${' '.repeat(20 << 20)}x`],
    ['entities', `<p>${'&amp;'.repeat(4 << 20)}`],
    ['attributes', `<p ${Array.from({ length: 1_000_000 }, (_, i) => `a${i}=1`).join(' ')}>x`],
  ])('lives through 20 MB of %s, however little memory there is', async (_name, html) => {
    const threads = pool({ memoryMb: 48 })
    expect(['page', 'rejected', 'killed']).toContain((await threads.process(page(html))).kind)
    expect((await threads.process(page(article('still here')))).kind).toBe('page')
  })

  it('stops waiting when the caller does', async () => {
    const threads = pool()
    const controller = new AbortController()
    const waiting = threads.process(slow(), controller.signal)
    controller.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    await expect(threads.process(page('x'), controller.signal)).rejects.toThrow('enough')
  })

  it('ends idle threads and starts again when needed', async () => {
    const threads = pool({ idleAfterMs: 50 })
    await threads.process(page(article('a')))
    expect(threads.size).toBe(1)
    await expect.poll(() => threads.size).toBe(0)
    expect((await threads.process(page(article('b')))).kind).toBe('page')
  })

  it('takes views into larger buffers and pages of many megabytes', async () => {
    const threads = pool()
    const shared = Buffer.from(`garbage${article('inside')}garbage`)
    const view = shared.subarray(7, shared.length - 7)
    const small = await threads.process({ ...page(''), bytes: view })
    const large = await threads.process(page(article('word '.repeat(600_000))))
    expect(small).toMatchObject({ kind: 'page', page: { title: 'Guide' } })
    expect(large).toMatchObject({ kind: 'page', page: { title: 'Guide' } })
  })

  it('rejects what was not done when it is closed', async () => {
    const threads = pool()
    const waiting = expect(threads.process(slow())).rejects.toThrow('closed')
    await threads.close()
    await waiting
    await expect(threads.process(page('x'))).rejects.toThrow('closed')
  })
})
