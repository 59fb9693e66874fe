import { expect, test } from 'vitest'
import { busyText } from '../src/screens/overview/busy-text.ts'
import { nameOfPage } from '../src/screens/requests/name-of-page.ts'

const source = (crawlStatus: 'pending' | 'crawling' | 'complete', found = 0, indexed = 0) => ({
  crawlStatus,
  pagesDiscovered: found,
  pagesIndexed: indexed,
  pagesSkipped: 0,
  pagesFailed: 0,
})

test('a source without pages says whether it waits or looks for them', () => {
  expect(busyText([source('pending')], null)).toBe('Waits for its turn')
  expect(busyText([source('pending'), source('crawling')], null)).toBe('Looking for pages')
})

test('indexing shows pages at once, and the time left and the speed once they are known', () => {
  const sources = [source('crawling', 400, 100), source('pending')]
  expect(busyText(sources, null)).toBe('100 of 400 pages')
  expect(busyText(sources, { etaSeconds: null, pagesPerSecond: 7 })).toBe('100 of 400 pages · 7 pages/s')
  expect(busyText(sources, { etaSeconds: 40, pagesPerSecond: 7 })).toBe(
    'about 40 s left · 100 of 400 pages · 7 pages/s',
  )
  expect(busyText([source('crawling', 1)], null)).toBe('0 of 1 page')
})

test('cited pages with one title are told apart by their addresses', () => {
  const pages = [
    { url: 'https://example.com/a/setup', title: 'Setup' },
    { url: 'https://example.com/b/setup', title: 'Setup' },
    { url: 'https://example.com/teeth', title: 'Teeth' },
    { url: 'https://example.com/untitled', title: '' },
  ]
  expect(pages.map((page) => nameOfPage(page, pages))).toEqual([
    'Setup (example.com/a/setup)',
    'Setup (example.com/b/setup)',
    'Teeth',
    'example.com/untitled',
  ])
})
