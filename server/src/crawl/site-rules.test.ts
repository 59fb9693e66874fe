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

test.each([
  [500, 'other_version'],
  [501, null],
])('compares versions by addresses of up to 500 characters, of %i: %s', (length, variant) => {
  const rules = rulesFrom('https://a.dev/docs/')
  const page = (version: string) => `https://a.dev/docs/${version}/`.padEnd(length, 'x')
  for (const version of ['v1', 'v2']) rules.normalize(page(version))
  expect(rules.variantOf(page('v1'))).toBe(variant)
  expect(rules.variantOf(page('v2'))).toBeNull()
})

test.each([2_000, 2_001])('has the same normal form for a link of %i characters, however often it comes', (length) => {
  const rules = rulesFrom('https://a.dev/')
  const link = 'https://A.dev/'.padEnd(length, 'x')
  for (let n = 0; n < 3; n++) expect(rules.normalize(link)).toBe(link.toLowerCase())
})
