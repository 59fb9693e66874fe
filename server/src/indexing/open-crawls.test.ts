import { expect, test } from 'vitest'
import { createSimilarPages } from '#crawl/similar-pages.ts'
import { createAdaptiveTimeouts } from '#crawl/pace-requests.ts'
import { createSiteDates } from '#crawl/site-dates.ts'
import { createRedirectTargets } from '#crawl/fetch-page.ts'
import { type OpenCrawl, createOpenCrawls } from './open-crawls.ts'

const HOUR_MS = 60 * 60_000

function crawl({ openedAt = 0, text = '' } = {}): OpenCrawl {
  const url = 'https://a.example/'
  return {
    site: {
      startUrl: url,
      otherStarts: [],
      rules: {} as OpenCrawl['site']['rules'],
      discover: async () => true,
      texts: async () => new Map(),
      dates: createSiteDates({ run: 1, trusted: null, now: 0, isScheduled: false }),
    },
    texts: new Map(text === '' ? [] : [[url, { url, title: null, markdown: text }]]),
    timeouts: createAdaptiveTimeouts(),
    similarPages: createSimilarPages(),
    redirectTargets: createRedirectTargets(),
    streak: { failures: 0 },
    tries: new Map(),
    publishPace: { pages: 0, isChanged: false, dueAt: 0 },
    openedAt,
  }
}

test('returns a kept crawl once', () => {
  const crawls = createOpenCrawls()
  const one = crawl({ openedAt: performance.now() })
  crawls.keep('src', 'run 1', one, 10)
  expect(crawls.take('src', 'run 1')).toBe(one)
  expect(crawls.take('src', 'run 1')).toBeNull()
})

test('does not return a crawl of another run or of other patterns', () => {
  const crawls = createOpenCrawls()
  crawls.keep('src', 'run 1', crawl({ openedAt: performance.now() }), 10)
  expect(crawls.take('src', 'run 2')).toBeNull()
})

test.each([
  [HOUR_MS, true],
  [HOUR_MS + 1, false],
])('returns a crawl that was opened %i ms ago: %s', (ageMs, isThere) => {
  const crawls = createOpenCrawls({ now: () => ageMs })
  crawls.keep('src', 'run', crawl(), 10)
  expect(crawls.take('src', 'run') !== null).toBe(isThere)
})

test('evicts the oldest crawl when memory is short', () => {
  const crawls = createOpenCrawls({ mostBytes: 10_000, now: () => 0 })
  crawls.keep('a', 'run', crawl(), 10)
  crawls.keep('b', 'run', crawl(), 10)
  // 4,000 bytes for each of the two so far, and 2,000 for the texts of this one.
  crawls.keep('c', 'run', crawl({ text: 'x'.repeat(1_000) }), 0)
  expect(crawls.take('a', 'run')).not.toBeNull()
  crawls.keep('a', 'run', crawl(), 10)
  crawls.keep('d', 'run', crawl(), 1)
  expect(crawls.take('b', 'run')).toBeNull()
  for (const id of ['c', 'a', 'd']) expect(crawls.take(id, 'run')).not.toBeNull()
})
