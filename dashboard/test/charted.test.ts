import { expect, test } from 'vitest'
import { byOutcome } from '../src/screens/requests/charted.ts'
import { marksOf } from '../src/screens/requests/marks.ts'

const DAY_MS = 86_400_000
const TODAY = Date.UTC(2026, 2, 5)
const day = (back: number, hour = 0) => new Date(TODAY - back * DAY_MS + hour * 3_600_000).toISOString()

const point = (back: number, calls: number, failed: number) => ({ at: day(back), calls, failed, p50Ms: 1, p95Ms: 2 })
const group = (...points: ReturnType<typeof point>[]) => ({
  name: 'ask_question',
  label: null,
  calls: 0,
  failed: 0,
  lastCallAt: day(0),
  p50Ms: 1,
  p95Ms: 2,
  p99Ms: 2,
  points,
})
const total = { calls: 0, failed: 0, p50Ms: null, p95Ms: null, p99Ms: null }
const series = (...groups: ReturnType<typeof group>[]) => ({
  range: '7d' as const,
  by: 'tool' as const,
  interval: 'day' as const,
  total,
  groups,
})

test('splits the requests of each day into answered, without a good answer, and failed', () => {
  const points = [
    { at: day(1), unanswered: 2 },
    { at: day(0), unanswered: 9 },
  ]
  const { at, lines } = byOutcome(series(group(point(1, 10, 3), point(0, 4, 1))), { points }, TODAY)
  expect(at).toHaveLength(8)
  expect(lines.map(({ title, values }) => [title, ...values.slice(-3)])).toEqual([
    ['answered', 0, 5, 0],
    // The log can be ahead of the counts: never more than the requests without an error.
    ['no good answer', 0, 2, 3],
    ['failed', 0, 3, 1],
  ])
})

test('names the rules and the indexed sources of each period', () => {
  const charted = { at: [2, 1, 0].map((back) => TODAY - back * DAY_MS), lines: [], interval: 'day' as const }
  const source = (url: string, lastIndexedAt: string | null, label: string | null = null) => ({
    url,
    label,
    lastIndexedAt,
  })
  const sources = [
    source('https://example.com/docs', day(2, 23)),
    source('https://example.com/api', day(0, 1), 'Reference'),
    source('https://example.com/blog', day(0, 2)),
    source('https://example.com/new', null),
  ]
  const rules = [day(3, 23), day(2, 0), day(0, 5), day(0, 6)].map((createdAt) => ({ createdAt }))
  expect(marksOf({ rules, sources }, charted)).toEqual([
    'rule added, example.com/docs indexed',
    null,
    '2 rules added, 2 sources indexed',
  ])
})
