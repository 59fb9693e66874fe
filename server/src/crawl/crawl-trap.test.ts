import { describe, expect, test } from 'vitest'
import { createTrapDetector } from './crawl-trap.ts'

const IN_2031 = () => Date.UTC(2031, 5, 1)

function trapOf(path: string) {
  return createTrapDetector({ now: IN_2031 }).of(new URL(path, 'https://a.dev'))
}

describe('crawl traps', () => {
  test.each([
    [`/${'x'.repeat(2_000)}`, 'too_long'],
    [`/${Array.from({ length: 21 }, (_, index) => `s${index}`).join('/')}`, 'too_deep'],
    ['/docs/guide/docs/guide/docs/guide', 'repeating_path'],
    ['/next/next/next/', 'repeating_path'],
    ['/calendar/2031/07', 'calendar'],
    ['/events/2031-07-14/', 'calendar'],
    ['/events/list?tribe-bar-date=2031-07-14', 'calendar'],
    ['/archive/2099/12', 'calendar'],
    ['/?year=2031&date=1907-03', 'calendar'],
  ])('classifies %s as %s', (path, trap) => {
    expect(trapOf(path)).toBe(trap)
  })

  test('detects too many query variants of one page', () => {
    const traps = createTrapDetector({ maxQueryVariants: 3 })
    const verdicts = ['?a=1', '?a=2', '', '?a=3', '?a=4'].map((query) =>
      traps.of(new URL(`https://a.dev/list${query}`)),
    )
    expect(verdicts).toEqual([null, null, null, null, 'query_variants'])
    expect(traps.of(new URL('https://a.dev/other?a=1'))).toBeNull()
  })
})

test.each([
  '/docs/guide/install',
  '/api/v1/api/reference',
  '/blog/2019/05/17/release-notes',
  '/changelog/2031-05',
  '/java/lang/1/1/1/',
  '/docs/events/',
  '/docs/calendar-widget?version=2',
  '/rfc/rfc2616',
  '/releases/2.1912.0',
])('accepts %s as an ordinary page', (path) => {
  expect(trapOf(path)).toBeNull()
})
