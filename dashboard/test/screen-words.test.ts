import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
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

const root = join(import.meta.dirname, '../..')

/** Source files with what people read. */
function textsOf(folder: string): { name: string; text: string }[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(tsx?|md)$/.test(name) && !name.includes('.test.') && !name.includes('node_modules'))
    .map((name) => ({ name: `${folder}/${name}`, text: readFileSync(join(root, folder, name), 'utf8') }))
}

test('the interface, the messages and the documents spell email in one way', () => {
  const all = ['dashboard/src', 'contract', 'cli/src', 'widget/src', 'docs', 'server/src/auth'].flatMap(textsOf)
  expect(all.length).toBeGreaterThan(200)
  expect(all.filter(({ text }) => /\be-mail/i.test(text)).map(({ name }) => name)).toEqual([])
})

test('the plan page calls a purchase an order, and a call a request', () => {
  const words = textsOf('dashboard/src/screens/limits').flatMap(({ name, text }) =>
    [
      ...text.matchAll(
        /(?:>|'|"|`)[^<>'"`\n]*\brequest(?:s|ed)? (?:for|of accounts|another|is open|the plan)\b[^<>'"`\n]*/gi,
      ),
    ].map(([found]) => `${name}: ${found}`),
  )
  expect(words).toEqual([])
})
