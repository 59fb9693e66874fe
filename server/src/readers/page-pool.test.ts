import type { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { decodeOutline } from '#search/outline.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { zstdDecompressSync } from 'node:zlib'
import { sampleOf } from '../../test/support/lib/sample-of.ts'
import { endKeptChildren } from '../../test/support/processes/kept-children.ts'
import { PagePool, type PagePoolOptions } from '#readers/page-pool.ts'

const pools: PagePool[] = []
const openPool = (options: PagePoolOptions = {}) => {
  const created = new PagePool({ workers: 1, ...options })
  pools.push(created)
  return created
}
const pool = (options: PagePoolOptions = {}) => openPool(options).share()
const page = (html: string, url = 'https://docs.example/guide') => ({
  url,
  contentType: 'text/html',
  bytes: Buffer.from(html),
})
const article = (text: string) => `<!doctype html><title>Guide</title><main><h1 id="g">Guide</h1><p>${text}</p></main>`
/**
 * This nesting makes the parser itself slow, not its regular expressions. It needs nine seconds, so that a machine three
 times as fast still exceeds the limits.
 */
const slow = () => page('<div>'.repeat(2_900) + '</x>'.repeat(4_500_000))

/** Counts page worker processes started from now on. */
function countStarted() {
  const counted = {
    processes: 0,
    [Symbol.dispose]: () => unsubscribe('child_process', count),
  }
  const count = (message: unknown) => {
    // The event precedes the assignment of program and arguments.
    const { process } = message as { process: ChildProcess }
    queueMicrotask(() => (counted.processes += process.spawnargs.some((word) => word.includes('page-worker')) ? 1 : 0))
  }
  endKeptChildren()
  subscribe('child_process', count)
  return counted
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((created) => created[Symbol.asyncDispose]()))
})

describe('the page pool', () => {
  it('turns a document into text, hash, passages and compressed Markdown', async () => {
    const result = await pool().process(page(article('Install it with one command.')))
    if (result.kind !== 'page' || result.unchanged) throw new Error(JSON.stringify(result))
    expect(result.page.title).toBe('Guide')
    expect(zstdDecompressSync(result.compressed).toString()).toBe('# Guide\n\nInstall it with one command.')
    expect(result.textHash).toMatch(/^[0-9a-f]{32}$/)
    expect(result.chunks).toBe(1)
    expect(decodeOutline(result.outline).chunks).toMatchObject([{ start: 0, end: 37, headings: [], anchor: 'g' }])
  })

  it('reads a table of a million rows in the memory of a page', async () => {
    const text = `|a|\n|-|\n${'|1|\n'.repeat(1_000_000)}`
    const read = await pool().process({
      url: 'https://docs.example/a.md',
      contentType: 'text/markdown',
      bytes: Buffer.from(text),
    })
    expect(read).toMatchObject({ kind: 'page', chunks: expect.closeTo(2_001, -1) })
  })

  it('skips chunking and compression of an unchanged text', async () => {
    const running = pool()
    const first = await running.process(page(article('Same words.')))
    if (first.kind !== 'page') throw new Error('no page')
    const again = await running.process({ ...page(article('Same   words.')), previousTextHash: first.textHash })
    expect(again).toMatchObject({
      kind: 'page',
      unchanged: true,
      compressed: null,
      outline: null,
      chunks: 0,
      textHash: first.textHash,
    })
  })

  it('kills a page that exceeds its time, and processes the pages behind it', async () => {
    const running = pool({ killAfterMs: 1_000 })
    await running.process(page(article('warm')))
    const results = await Promise.all([
      running.process(slow()),
      running.process(page(article('one'))),
      running.process(page(article('two'))),
    ])
    expect(results[0]).toEqual({ kind: 'killed', reason: 'timeout' })
    expect(results.slice(1).map((result) => result.kind)).toEqual(['page', 'page'])
  })

  it('survives a page that exceeds the memory limit', async () => {
    using started = countStarted()
    const running = pool({ memoryMb: 24 })
    const bomb = running.process(page('<p>x<b>y</b>'.repeat(120_000)))
    const after = running.process(page(article('still here')))
    expect(await bomb).toEqual({ kind: 'killed', reason: 'memory' })
    expect((await after).kind).toBe('page')
    expect(started.processes).toBe(2)
  })

  it('retries a page that exceeds the memory limit in a fresh process', async () => {
    using started = countStarted()
    const running = pool({ memoryMb: 24 })
    expect((await running.process(page(article('before')))).kind).toBe('page')
    expect(started.processes).toBe(1)
    const bomb = running.process(page('<p>x<b>y</b>'.repeat(120_000)))
    const after = running.process(page(article('still here')))
    expect(await bomb).toEqual({ kind: 'killed', reason: 'memory' })
    expect((await after).kind).toBe('page')
    // The retry got a fresh process, and the page behind it another.
    expect(started.processes).toBe(3)
  })

  const large = [
    ['blanks in code', `<pre>${' '.repeat(20 << 20)}x`],
    ['entities', `<p>${'&amp;'.repeat(4 << 20)}`],
    ['attributes', `<p ${Array.from({ length: 1_000_000 }, (_, i) => `a${i}=1`).join(' ')}>x`],
  ] as const
  it.each(sampleOf(large, 0, 3))('survives 20 MB of %s with little memory', async (_name, html) => {
    const running = pool({ memoryMb: 48 })
    expect(['page', 'rejected', 'killed']).toContain((await running.process(page(html))).kind)
    expect((await running.process(page(article('still here')))).kind).toBe('page')
  })

  it('fails only one page on a parser bug, and reports it', async () => {
    const faults: unknown[] = []
    const running = pool({ onFault: (error, url) => faults.push([String(error), url]) })
    const broken = { ...page(article('fine')), bytes: { byteLength: 1 } as never }
    expect(await running.process(broken)).toMatchObject({ kind: 'killed', reason: 'fault', cause: expect.any(String) })
    expect(faults).toEqual([[expect.stringContaining('TypeError'), broken.url]])
    expect((await running.process(page(article('still here')))).kind).toBe('page')
  })

  it('processes pages of other crawls during a slow page, and those of the same crawl after it', async () => {
    const all = openPool({ slowAfterMs: 300, killAfterMs: 1_500 })
    const [one, other] = [all.share(), all.share()]
    await one.process(page(article('warm')))
    const order: string[] = []
    const note = (name: string) => () => void order.push(name)
    await Promise.all([
      one.process(slow()).then(note('slow')),
      one.process(page(article('after'))).then(note('after it')),
      other.process(page(article('a'))).then(note('another')),
      other.process(page(article('b'))).then(note('another')),
    ])
    expect(order).toEqual(['another', 'another', 'slow', 'after it'])
    await expect.poll(() => all.size).toBe(1)
  })

  it('reads lists of pages, and returns null for one that exceeds its time', async () => {
    const running = pool()
    const bytes = Buffer.from('<urlset><url><loc>https://docs.example/a</loc></url></urlset>')
    const sitemap = await running.readList({ list: 'sitemap', url: 'https://docs.example/sitemap.xml', bytes })
    expect(sitemap?.pages).toEqual([{ url: 'https://docs.example/a', lastModified: null }])
    const links = Buffer.from('# Docs\n- [A](/a)')
    expect(
      await running.readList({ list: 'llmsTxt', url: 'https://docs.example/llms.txt', bytes: links }),
    ).toMatchObject({
      title: 'Docs',
      links: [{ url: 'https://docs.example/a' }],
    })
    // The list is long, because a short one could be read within the grace period.
    const hurried = pool({ killAfterMs: 1 })
    const long = Buffer.from(`<urlset>${'<url/>'.repeat(5_000_000)}</urlset>`)
    expect(await hurried.readList({ list: 'sitemap', url: 'https://docs.example/sitemap.xml', bytes: long })).toBeNull()
  })

  it('rejects when its signal aborts', async () => {
    const running = pool()
    const controller = new AbortController()
    const waiting = running.process(slow(), controller.signal)
    controller.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    await expect(running.process(page('x'), controller.signal)).rejects.toThrow('enough')
  })

  it('ends idle processes, and restarts them on demand', async () => {
    const all = openPool({ idleAfterMs: 50 })
    const running = all.share()
    await running.process(page(article('a')))
    expect(all.size).toBe(1)
    await expect.poll(() => all.size).toBe(0)
    expect((await running.process(page(article('b')))).kind).toBe('page')
  })

  it('ends idle processes on rest, but keeps busy ones', async () => {
    const all = openPool({ idleAfterMs: 60_000 })
    const running = all.share()
    const inHand = running.process(page(article('a')))
    await all.rest()
    expect(all.size).toBe(1)
    expect((await inHand).kind).toBe('page')
    await all.rest()
    expect(all.size).toBe(0)
    expect((await running.process(page(article('b')))).kind).toBe('page')
  })

  it('accepts views into larger buffers, and pages of several megabytes', async () => {
    const running = pool()
    const shared = Buffer.from(`garbage${article('inside')}garbage`)
    const view = shared.subarray(7, shared.length - 7)
    const small = await running.process({ ...page(''), bytes: view })
    const large = await running.process(page(article('word '.repeat(600_000))))
    expect(small).toMatchObject({ kind: 'page', page: { title: 'Guide' } })
    expect(large).toMatchObject({ kind: 'page', page: { title: 'Guide' } })
  })

  it('rejects unfinished pages on close', async () => {
    const all = openPool()
    const running = all.share()
    const waiting = expect(running.process(slow())).rejects.toThrow('closed')
    await all[Symbol.asyncDispose]()
    await waiting
    await expect(running.process(page('x'))).rejects.toThrow('closed')
  })
})
