import { expect, test } from 'vitest'
import type { PageAge } from '#store/pages/pages.ts'
import type { AgedPage } from '../definition/tool.ts'
import { ageNotes, withAges } from './page-ages.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const URL = 'https://w.example/gears'
const page = { sourceId: 'src_1', url: `${URL}#oil` }

function contextOf(age: Partial<PageAge>) {
  const asked: AgedPage[] = []
  const loadAges = async (pages: readonly AgedPage[]): Promise<PageAge[]> => {
    asked.push(...pages)
    return [{ sourceId: 'src_1', url: URL, readAt: 0, changedAt: null, ...age }]
  }
  return { asked, loadAges }
}

test.each([
  [366, 1],
  [364, 0],
])('notes a page that has not changed for %i days: %i', async (days, notes) => {
  const changedAt = Date.now() - days * DAY_MS
  const said = await ageNotes(contextOf({ changedAt }), [{ n: 2, ...page }])
  const day = new Date(changedAt).toISOString().slice(0, 10)
  expect(said).toEqual(notes === 0 ? [] : [`Not changed for more than a year: [2] ${day}.`])
})

test('notes nothing about a page without a date, and about one of another source', async () => {
  expect(await ageNotes(contextOf({}), [{ n: 1, ...page }])).toEqual([])
  expect(await ageNotes(contextOf({ changedAt: 1 }), [{ n: 1, ...page, sourceId: 'src_2' }])).toEqual([])
})

test('adds ages to the citations of a structured result, and leaves other members as they are', async () => {
  const result = { content: [], outcome: 'answered' as const }
  const data = { results: [page, 'text'], citations: [{ n: 1 }], query: 'oil' }
  const context = contextOf({ changedAt: DAY_MS })
  const aged = await withAges(context, { ...result, structuredContent: data })
  expect(aged.structuredContent).toEqual({
    ...data,
    results: [{ ...page, readAt: '1970-01-01T00:00:00.000Z', changedAt: '1970-01-02T00:00:00.000Z' }, 'text'],
  })
  expect(context.asked).toEqual([page, { ...page, url: URL }])
})

test('asks for no ages if nothing is cited', async () => {
  const context = contextOf({})
  await withAges(context, { content: [], outcome: 'none', structuredContent: { results: [] } })
  await ageNotes(context, [])
  expect(context.asked).toEqual([])
})
