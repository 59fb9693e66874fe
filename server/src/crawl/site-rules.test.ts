import { expect, test } from 'vitest'
import { createScope } from './scope.ts'
import { createSiteRules } from './site-rules.ts'

const rulesFrom = (start: string) =>
  createSiteRules(createScope({ start: new URL(start) }), {
    state: 'none',
    problem: null,
    crawlDelay: null,
    sitemaps: [],
    allows: () => true,
  })

test.each([
  'https://a.dev/_sources/guide/start.rst.txt',
  'https://a.dev/en/latest/_sources/index.md.txt',
  'https://a.dev/book/_sources/intro.ipynb',
])('omits %s, the source file of a page', (address) => {
  expect(rulesFrom('https://a.dev/').normalize(address)).toBeNull()
})

test('accepts source files if the crawl starts among them, and pages with the name of their folder', () => {
  const copy = 'https://a.dev/_sources/guide/start.rst.txt'
  expect(rulesFrom('https://a.dev/_sources/guide/').normalize(copy)).toBe(copy)
  expect(rulesFrom('https://a.dev/').normalize('https://a.dev/guide/_sources')).toBe('https://a.dev/guide/_sources')
})
