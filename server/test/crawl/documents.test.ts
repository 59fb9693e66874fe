import { everyReader } from '../support/indexing/every-reader.ts'
import { expect, test } from 'vitest'
import { ingest } from '#indexing/ingest.ts'
import type { SourceItem, SourceReader } from '#sources/source-document.ts'
import { enqueueIngest } from '#jobs/enqueue-ingest.ts'
import { claim } from '#store/jobs/claim.ts'
import { finish } from '#store/jobs/queue.ts'
import { createRetriever, createSearchMemory } from '#search/retrieve.ts'
import { readSegment, readTexts } from '#store/pages/segments.ts'
import { findServedServer } from '#store/servers/served.ts'
import { findSourceById } from '#store/sources/sources.ts'
import { makeStore, onSqliteAtLeast } from '../support/database/engines.ts'
import { insertSource } from '../support/database/insert-source.ts'
import { makeIngestDeps } from '../support/indexing/make-ingest-deps.ts'

const document = (url: string, title: string, text: string) => ({
  kind: 'document' as const,
  url: `https://code.example.test/${url}`,
  title,
  markdown: `# ${title}\n\n${text}\n`,
  language: 'en',
})

onSqliteAtLeast('source read document by document', (engine) => {
  test('indexes documents, refreshes them by content, and drops those that no longer come', async () => {
    await using store = await makeStore(engine)
    const source = await insertSource(store, { url: 'https://code.example.test/', type: 'repo' })
    await using stack = new AsyncDisposableStack()
    let items: SourceItem[] = []
    let failure: Error | null = null
    const reader: SourceReader = async function* () {
      yield* items
      if (failure) throw failure
    }
    const deps = makeIngestDeps(stack, store, everyReader(reader))
    const retriever = createRetriever(
      {
        loadSegment: (id) => readSegment(store, id),
        loadTexts: (sourceId, hashes) => readTexts(store, sourceId, hashes),
      },
      createSearchMemory({ cacheBytes: 1e7 }),
    )
    const read = async (given: SourceItem[], error: Error | null = null) => {
      items = given
      failure = error
      await enqueueIngest(store.write, source)
      const job = await claim(store, Date.now() + 1)
      if (!job) throw new Error('nothing to do')
      try {
        const { signal } = new AbortController()
        await ingest(deps, { sourceId: 'src_1' }, { job, signal, slice: signal, onAskPause: () => undefined })
      } finally {
        await finish(store.write, job, 'done')
      }
      return findSourceById(store.read, 'src_1')
    }
    const find = async (query: string) => {
      const served = await findServedServer(store.read, 'a')
      if (!served) throw new Error('no server')
      const { passages } = await retriever.retrieve(served, { query, limit: 5 })
      return passages.map(({ url, title }) => `${title} ${new URL(url).pathname}`)
    }

    const omission = {
      kind: 'skipped' as const,
      url: 'https://code.example.test/vendor/',
      reason: 'vendored',
      detail: 'Third-party code.',
    }
    const first = [
      document('a', 'Apples', 'All about apples.'),
      document('b', 'Bananas', 'All about bananas.'),
      omission,
    ]
    expect(await read(first)).toMatchObject({
      crawlStatus: 'complete',
      pagesFound: 3,
      pagesIndexed: 2,
      pagesSkipped: 1,
      pagesToGo: 0,
    })
    expect(await find('bananas')).toEqual(['Bananas /b'])
    const before = await findSourceById(store.read, 'src_1')
    expect(await read(first)).toMatchObject({ segments: before?.segments, pagesIndexed: 2 })
    const second = [document('a', 'Apples', 'Nothing but apricots.'), document('c', 'Cherries', 'All about cherries.')]
    expect(await read(second)).toMatchObject({ pagesFound: 2, pagesIndexed: 2, pagesSkipped: 0 })
    expect([await find('apricots'), await find('cherries'), await find('bananas')]).toEqual([
      ['Apples /a'],
      ['Cherries /c'],
      [],
    ])

    // Kept documents stay searchable without being read again; the rest is deleted.
    const kept = { kind: 'kept' as const, prefix: 'https://code.example.test/c' }
    const cursor = { kind: 'cursor' as const, value: '{"at":1}' }
    expect(await read([document('d', 'Dates', 'All about dates.'), kept, cursor])).toMatchObject({
      pagesFound: 2,
      pagesIndexed: 2,
      pagesToGo: 0,
      cursor: '{"at":1}',
    })
    expect([await find('cherries'), await find('dates'), await find('apricots')]).toEqual([
      ['Cherries /c'],
      ['Dates /d'],
      [],
    ])
    // Nothing is written when every document is kept.
    const all = await findSourceById(store.read, 'src_1')
    expect(await read([{ ...kept, prefix: 'https://code.example.test/' }, cursor])).toMatchObject({
      segments: all?.segments,
      pagesIndexed: 2,
    })
    // A changed document that was kept, and a reader that fails after its first change.
    expect(await read([document('c', 'Cherries', 'Sour ones.'), kept, cursor])).toMatchObject({ pagesIndexed: 1 })
    expect(await find('sour')).toEqual(['Cherries /c'])
    await expect(read([document('c', 'Cherries', 'Sweet ones.'), kept], new Error('gone'))).rejects.toThrow('gone')
    expect(await findSourceById(store.read, 'src_1')).toMatchObject({ cursor: null })
  })
})
