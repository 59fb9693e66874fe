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
])('leaves out %s, which its page was made of', (address) => {
  expect(rulesFrom('https://a.dev/').normalize(address)).toBeNull()
})

test('reads copies of sources where the crawl starts among them, and pages about them', () => {
  const copy = 'https://a.dev/_sources/guide/start.rst.txt'
  expect(rulesFrom('https://a.dev/_sources/guide/').normalize(copy)).toBe(copy)
  expect(rulesFrom('https://a.dev/').normalize('https://a.dev/guide/_sources')).toBe('https://a.dev/guide/_sources')
})
