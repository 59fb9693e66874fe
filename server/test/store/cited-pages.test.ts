import type { KyselyPlugin } from 'kysely'
import { expect, test } from 'vitest'
import { foldSettledCalls } from '#analytics/settle-calls.ts'
import { CallRecorder } from '#analytics/record-calls.ts'
import { listLoggedCalls } from '#store/calls/read-calls.ts'
import { readCitedPages } from '#store/calls/read-cited-pages.ts'
import type { Db, Store } from '#store/db.ts'
import { insertSourceRow } from '#store/sources/sources.ts'
import { makeStore, onBothEngines } from '../support/database/engines.ts'
import { insertSource } from '../support/database/insert-source.ts'
import { finishedCall } from '../support/mcp/finished-call.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Days have periods of 32. This is the ninth day of one. */
const TODAY = 32 * 700 + 8
const FIRST = TODAY - 100

const EVERYTHING = { offset: 0, limit: 1_000, withDays: true }

async function addSources(store: Store): Promise<void> {
  const row = await insertSource(store, { url: 'https://one.test/', type: 'docs' })
  await insertSourceRow(store.write, { ...row, id: 'src_2', url: 'https://two.test/' })
}
const sourceOf = (url: string): string => (url.startsWith('https://one.test/') ? 'src_1' : 'src_2')

/** Citations on each of the last hundred days: one of a page that all days have, and two of a page of each third day. */
const cited = Array.from({ length: TODAY - FIRST + 1 }, (_, n) => [
  { day: FIRST + n, url: 'https://one.test/all', count: 1 },
  { day: FIRST + n, url: `https://two.test/${n % 3}`, count: 2 },
]).flat()

/** Sums since a day, by address. */
const expected = (sinceDay: number, wanted = '') => {
  const sums = new Map<string, number>()
  for (const { day, url, count } of cited)
    if (day >= sinceDay && url.includes(wanted)) sums.set(url, (sums.get(url) ?? 0) + count)
  return sums
}

async function recordCitations(store: Store): Promise<void> {
  let now = 0
  await using recorder = new CallRecorder({
    store: { ...store, clock: () => now },
    onError: (error) => expect.fail(String(error)),
  })
  for (const { day, url, count } of cited) {
    now = day * DAY_MS + 1_000
    const citation = { sourceId: sourceOf(url), url, title: 'A page', rank: 1, score: 1 }
    for (let n = 0; n < count; n++) recorder.record('srv_1', finishedCall({ citations: [citation] }))
    await recorder.flush()
  }
}

async function sums(db: Db, sinceDay: number, values: { sourceId?: string; withDays?: boolean } = {}) {
  const { withDays = false, ...which } = values
  const { pages } = await readCitedPages(db, { serverId: 'srv_1', sinceDay, ...which }, { ...EVERYTHING, withDays })
  return { pages, byUrl: new Map(pages.map(({ url, citations }) => [url, citations])) }
}

const loggedCitations = async ({ read }: Store) => {
  const range = { offset: 0, limit: 10, sort: 'oldest' as const }
  return (await listLoggedCalls(read, 'srv_1', { since: 0 }, range)).map(({ citations }) => citations)
}

onBothEngines('cited pages', (engine) => {
  test('keep their citations when their title changes, under the last title', async () => {
    await using store = await makeStore(engine)
    await addSources(store)
    const cite = (title: string) => [{ sourceId: 'src_1', url: 'https://one.test/a', title, rank: 1, score: 0.5 }]
    await using recorder = new CallRecorder({ store, onError: (error) => expect.fail(String(error)) })
    for (const title of ['Old', 'New', 'New']) {
      recorder.record('srv_1', finishedCall({ citations: cite(title) }))
      await recorder.flush()
    }
    expect(await loggedCitations(store)).toEqual([cite('New'), cite('New'), cite('New')])
    const { pages } = await sums(store.read, 0)
    expect(pages).toMatchObject([{ title: 'New', citations: 3 }])
    await store.write.deleteFrom('sources').where('id', '=', 'src_1').execute()
    expect(await loggedCitations(store)).toEqual([[], [], []])
  })

  test('have the same sums from any day, also within a period of 32 days', async () => {
    await using store = await makeStore(engine)
    await addSources(store)
    await recordCitations(store)
    await foldSettledCalls(store, (TODAY + 1) * DAY_MS)
    const rows = await store.read.selectFrom('pagePeriods').select('day').distinct().orderBy('day').execute()
    expect(rows.map(({ day }) => TODAY - day)).toEqual([104, 72, 40, 8])
    for (const ago of [200, 100, 73, 72, 71, 50, 9, 8, 7, 0]) {
      const sinceDay = TODAY - ago
      expect((await sums(store.read, sinceDay)).byUrl).toEqual(expected(sinceDay))
      expect((await sums(store.read, sinceDay, { sourceId: 'src_2' })).byUrl).toEqual(expected(sinceDay, 'two.test'))
      const { pages } = await sums(store.read, sinceDay, { withDays: true })
      for (const { url, days } of pages)
        expect(days).toEqual(
          cited
            .filter((one) => one.url === url && one.day >= sinceDay)
            .map(({ day, count }) => ({ day, citations: count })),
        )
    }
    expect((await sums(store.read, TODAY + 1)).pages).toEqual([])
  })

  test('count each citation once when calls are folded during the read', async () => {
    await using store = await makeStore(engine)
    await addSources(store)
    await recordCitations(store)
    let isFolded = false
    const folding: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (!isFolded) {
          isFolded = true
          await foldSettledCalls(store, (TODAY + 1) * DAY_MS)
        }
        return result
      },
    }
    const { pages, byUrl } = await sums(store.read.withPlugin(folding), 0, { withDays: true })
    expect(isFolded).toBe(true)
    expect(byUrl).toEqual(expected(0))
    for (const { citations, days } of pages) expect(days.reduce((all, day) => all + day.citations, 0)).toBe(citations)
  })
})
