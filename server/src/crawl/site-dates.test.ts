import { expect, test } from 'vitest'
import { TEXT_FORMAT } from '#readers/text-hash.ts'
import { createSiteDates } from './site-dates.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const now = 1_000 * DAY_MS
const [early, late] = [100 * DAY_MS, 200 * DAY_MS]

const page = (id: number, siteDate: number | null, more: object = {}) => {
  const rest = { depth: 1, state: 'indexed', textHash: `0${TEXT_FORMAT}`, etag: null, lastModified: null, misses: 0 }
  return { id, url: `https://a.test/${id}`, ...rest, siteDate, ...more } as Parameters<
    ReturnType<typeof createSiteDates>['isUnchanged']
  >[0]
}
const datesOf = (run: number, trusted: boolean | null, given: Record<number, number>) => {
  const dates = createSiteDates({ run, trusted, now, isScheduled: false })
  for (const [id, date] of Object.entries(given)) dates.note(`https://a.test/${id}`, date)
  return dates
}

test('leaves pages with unchanged dates unread once dates have changed with pages', () => {
  const first = datesOf(2, null, { 1: late, 2: early })
  expect(first.isUnchanged(page(2, early))).toBe(false)
  first.learn(page(2, early), false)
  expect(first.state).toEqual({ trusted: null, unchanged: 1, notFetched: 0 })
  first.learn(page(1, early), true)
  expect([first.state.trusted, first.isUnchanged(page(2, early))]).toEqual([true, false])

  const pages = Array.from({ length: 100 }, (_, at) => page(at + 1, early))
  const second = datesOf(3, true, Object.fromEntries(pages.map(({ id }) => [id, early])))
  expect(pages.filter((one) => !second.isUnchanged(one))).toHaveLength(2)
  expect(second.state).toEqual({ trusted: true, unchanged: 98, notFetched: 98 })
  for (const other of [page(1, late), page(1, null), page(200, early)]) expect(second.isUnchanged(other)).toBe(false)
  for (const more of [{ depth: 0 }, { state: 'failed' }, { textHash: 'of an older version' }]) {
    expect(second.isUnchanged(page(1, early, more))).toBe(false)
  }
})

test('leaves fresh pages unread in scheduled refreshes only', () => {
  const isUnchanged = (isScheduled: boolean, more: object) =>
    createSiteDates({ run: 2, trusted: null, now, isScheduled }).isUnchanged(page(1, null, more))
  expect(isUnchanged(true, { freshUntil: now + 1 })).toBe(true)
  expect(isUnchanged(true, { freshUntil: now })).toBe(false)
  expect(isUnchanged(true, { freshUntil: null })).toBe(false)
  expect(isUnchanged(true, { freshUntil: now + 1, depth: 0 })).toBe(false)
  expect(isUnchanged(true, { freshUntil: now + 1, state: 'skipped' })).toBe(false)
  expect(isUnchanged(false, { freshUntil: now + 1 })).toBe(false)
})

test('reads all pages of a site of which a page has changed without its date', () => {
  const dates = datesOf(3, true, { 1: early, 2: early })
  expect(dates.isUnchanged(page(1, early))).toBe(true)
  dates.learn(page(2, early), true)
  expect(dates.isUnchanged(page(1, early))).toBe(false)
  // A later change with its date does not bring the trust back.
  dates.note(page(2, null).url, late)
  dates.learn(page(2, early), true)
  expect(dates.state.trusted).toBe(false)
})

test('keeps no date of a page that can change again within its day', () => {
  const dates = datesOf(3, null, { 1: now - 2 * DAY_MS, 2: now - 2 * DAY_MS + 1 })
  expect([1, 2, 3].map((id) => dates.settledDateOf(page(id, null)))).toEqual([now - 2 * DAY_MS, null, null])
})

test('takes a page without a date, and texts of an older version, for no evidence', () => {
  const dates = datesOf(3, null, { 1: early })
  dates.learn(page(1, null), true)
  dates.learn(page(2, early), true)
  dates.learn(page(1, early, { textHash: 'of an older version' }), true)
  expect(dates.state.trusted).toBeNull()
})
