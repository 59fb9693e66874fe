import { expect, test } from 'vitest'
import { byOutcome } from '../src/screens/requests/charted.ts'
import { marksOf } from '../src/screens/requests/marks.ts'

const DAY_MS = 86_400_000
const TODAY = Date.UTC(2026, 2, 5)
const day = (back: number, hour = 0) => new Date(TODAY - back * DAY_MS + hour * 3_600_000).toISOString()

const NONE = { answered: 0, related: 0, none: 0, refused: 0, failed: 0 }
const point = (back: number, outcomes: Partial<typeof NONE>) => {
  return { at: day(back), unanswered: 0, outcomes: { ...NONE, ...outcomes } }
}

test('splits the requests of each day by outcome, and leaves out what never happened', () => {
  const points = [point(1, { answered: 5, related: 1, none: 1, failed: 3 }), point(0, { answered: 2, none: 3 })]
  const { at, lines } = byOutcome({ range: '7d', interval: 'day', points }, TODAY)
  expect(at).toHaveLength(8)
  expect(lines.map(({ title, values }) => [title, ...values.slice(-3)])).toEqual([
    ['answered', 0, 5, 2],
    ['only related', 0, 1, 0],
    ['no answer', 0, 1, 3],
    ['failed', 0, 3, 0],
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
