import { describe, expect, test } from 'vitest'
import { openChildProcess } from '#workers/child-process.ts'
import { reasonOfKill } from '#crawl/crawl-budget.ts'
import { PagePool } from '#readers/page-pool.ts'
import { parseInChild } from '#readers/parse-in-child.ts'
import { RepositoryProcess } from '#readers/repository-process.ts'
import { BuildPool } from '#search/build-pool.ts'
import { openSegment } from '#search/segment/open-segment.ts'
import { samplePage } from '../support/lib/sample-pages.ts'
import type { OddTask } from '../support/processes/odd-program.ts'
import { killStarted } from '../support/processes/kill-started.ts'

const { signal } = new AbortController()
const page = (text: string) => ({
  url: 'https://docs.example/guide',
  contentType: 'text/html',
  bytes: Buffer.from(`<!doctype html><title>Guide</title><main><h1>Guide</h1><p>${text}</p></main>`),
})
const text = '{"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {}}'
const description = {
  root: { url: 'https://a.test/', bytes: Buffer.from(text), contentType: 'application/json' },
  files: null,
}
const LIMITS = { memoryMb: 128, killAfterMs: 20_000 }

describe('child process killed from outside', () => {
  test.each([['SIGKILL'], ['SIGTERM']] as const)(
    'reports a process ended by %s as killed, not as out of memory',
    async (name) => {
      const { promise, resolve } = Promise.withResolvers<unknown>()
      const child = openChildProcess<OddTask, number>({
        program: new URL('../support/processes/odd-program.ts', import.meta.url),
        heapMb: 64,
        memoryMb: 400,
        onAnswer: (pid) => process.kill(pid, name),
        onEnd: resolve,
      })
      child.setBusy(true)
      child.post('pid')
      expect(await promise).toBe('killed')
      await child.end()
    },
  )

  test('reads the pages of a killed process again', async () => {
    await using pool = new PagePool({ workers: 1 })
    using killed = killStarted('page-worker', 'SIGKILL', 2)
    const reader = pool.share()
    const results = await Promise.all([reader.process(page('One.')), reader.process(page('Two.'))])
    expect(killed.processes).toBe(2)
    expect(results).toMatchObject([{ kind: 'page' }, { kind: 'page' }])
  })

  test('fails a page after three killed processes and reads the other pages', async () => {
    await using pool = new PagePool({ workers: 1 })
    using _ = killStarted('page-worker', 'SIGTERM', 3)
    const reader = pool.share()
    const [first, second] = await Promise.all([reader.process(page('One.')), reader.process(page('Two.'))])
    expect(first).toEqual({ kind: 'killed', reason: 'ended' })
    expect(second).toMatchObject({ kind: 'page' })
    if (first.kind !== 'killed') throw new Error('It was read.')
    expect(reasonOfKill(first)).toMatchObject({
      reason: 'unreadable',
      detail: expect.stringMatching(/ended from outside 3 times/),
    })
  })

  test('runs a killed document parser again up to three times', async () => {
    const parse = async () => parseInChild({ name: 'api', input: description }, LIMITS, { signal })
    {
      using killed = killStarted('document-worker', 'SIGKILL', 2)
      expect(await parse()).toMatchObject({ kind: 'done' })
      expect(killed.processes).toBe(2)
    }
    using _ = killStarted('document-worker', 'SIGKILL', 3)
    expect(await parse()).toEqual({ kind: 'killed', reason: 'ended' })
  })

  test('reads a repository file again after its process was killed', async () => {
    await using reader = new RepositoryProcess({ signal })
    using killed = killStarted('document-worker', 'SIGKILL', 1)
    const bytes = new Uint8Array(Buffer.from('# Title\n\nText of the file.'))
    expect(await reader.run('read', { path: 'a.md', kind: 'markdown', bytes })).toMatchObject({ kind: 'done' })
    expect(killed.processes).toBe(1)
  })

  test('builds a segment again after its process was killed', async () => {
    await using pool = new BuildPool()
    using killed = killStarted('build-worker', 'SIGKILL', 1)
    const built = await pool.build([samplePage('a', 'A', [{ heading: 'Text', text: 'some words' }])])
    expect(openSegment(built).pageCount).toBe(1)
    expect(killed.processes).toBe(1)
  })
})
