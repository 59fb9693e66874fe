import { expect, test } from 'vitest'
import { assert, property, webUrl } from 'fast-check'
import { createScope } from './scope.ts'
import { createSiteRules, normalizeUrl } from './site-rules.ts'

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

test.each([
  ['HTTP://Example.COM:80/a/../b/./c#frag', 'http://example.com/b/c'],
  ['https://example.com', 'https://example.com/'],
  ['https://example.com./a', 'https://example.com/a'],
  ['https://example.com/%7euser/%c3%a9/%2fx', 'https://example.com/~user/%C3%A9/%2Fx'],
  ['https://example.com/%70age', 'https://example.com/page'],
  ['https://example.com/a??b', 'https://example.com/a??b'],
  ['https://example.com/a?%75tm_source=x', 'https://example.com/a'],
  ['https://example.com/a?', 'https://example.com/a'],
  ['https://example.com/a#', 'https://example.com/a'],
  ['https://example.com/a?#', 'https://example.com/a'],
  ['https://example.com/a?c=3&b=2&a=1&', 'https://example.com/a?a=1&b=2&c=3'],
  ['https://example.com/a?x=2&x=1', 'https://example.com/a?x=2&x=1'],
  ['https://example.com/a?utm_source=n&id=7&gclid=q&fbclid=z', 'https://example.com/a?id=7'],
  ['https://example.com/a;jsessionid=0123ABCD?b', 'https://example.com/a?b'],
  ['https://example.com/a?PHPSESSID=1', 'https://example.com/a'],
  ['https://example.com/a?sid=9f86d081884c7d65', 'https://example.com/a'],
  ['https://example.com/a?sid=section-2', 'https://example.com/a?sid=section-2'],
  ['https://example.com/docs/index.html', 'https://example.com/docs/index.html'],
  ['https://example.com/Page', 'https://example.com/Page'],
  ['https://b\u00fccher.example/\u00fc?q=\u00fc', 'https://xn--bcher-kva.example/%C3%BC?q=%C3%BC'],
])('normalizes %s to %s', (url, normal) => {
  expect(normalizeUrl(url)).toBe(normal)
})

test.each([
  'mailto:a@b.c',
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'https://u:p@example.com/',
  '//',
  '',
])('rejects %j as a page URL', (url) => {
  expect(normalizeUrl(url)).toBeNull()
})

test('resolves links relative to their page', () => {
  expect(normalizeUrl('../b?x=1#y', 'https://example.com/docs/a/')).toBe('https://example.com/docs/b?x=1')
  expect(normalizeUrl('//other.example/b', 'https://example.com/')).toBe('https://other.example/b')
})

test('leaves a normalized URL unchanged', () => {
  assert(
    property(webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
      const once = normalizeUrl(url)
      expect(once === null ? null : normalizeUrl(once)).toBe(once)
    }),
  )
})
