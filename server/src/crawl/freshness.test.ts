import { expect, test } from 'vitest'
import { freshUntil } from './freshness.ts'

const HOUR = 3_600_000
const NOW = Date.UTC(2026, 10, 1)
const at = (time: number) => new Date(time).toUTCString()

test.each([
  ['a maximum age', { 'cache-control': 'public, max-age=3600' }, HOUR],
  ['the age in a shared cache', { 'cache-control': 'max-age=7200', age: '3600' }, HOUR],
  ['an immutable page', { 'cache-control': 'max-age=3600, immutable' }, HOUR],
  ['a date', { expires: at(NOW + HOUR) }, HOUR],
  ['a date by another clock', { expires: at(NOW + 3 * HOUR), date: at(NOW + 2 * HOUR) }, HOUR],
  ['a maximum age before a date', { 'cache-control': 'max-age=3600', expires: at(NOW - HOUR) }, HOUR],
  ['a week', { 'cache-control': 'max-age=604800' }, 168 * HOUR],
  ['more than a week', { 'cache-control': 'max-age=604801' }, 168 * HOUR],
])('takes %s for the time for which a page is fresh', (_, headers, ms) => {
  expect(freshUntil(headers, NOW)).toBe(NOW + ms)
})

test.each([
  ['nothing', {}],
  ['that it is stale', { 'cache-control': 'max-age=0' }],
  ['that it has aged', { 'cache-control': 'max-age=3600', age: '3600' }],
  ['that it must be checked', { 'cache-control': 'max-age=3600, no-cache' }],
  ['that it must not be stored', { 'cache-control': 'no-store, max-age=3600' }],
  ['an age for shared caches only', { 'cache-control': 's-maxage=3600' }],
  ['no real date', { expires: '0' }],
])('takes no page for fresh that says %s', (_, headers) => {
  expect(freshUntil(headers, NOW)).toBeNull()
})
