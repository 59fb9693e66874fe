import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { allowsPath, parseRobots } from '#net/robots-rules.ts'
import { openCorpus } from '../support/sites/corpora.ts'

const corpus = await openCorpus('robots')

type Case = { robots: string; agent: string; url: string; allowed: boolean }

describe.skipIf(corpus === null)('robots.txt', () => {
  test('matches every case of the reference implementation', async () => {
    const cases = readCases(await readFile(join(corpus ?? '', 'google/robots_test.cc'), 'utf8'))
    expect(cases.length).toBeGreaterThan(110)
    expect(cases.filter(({ robots, agent, url, allowed }) => isAllowed(robots, agent, url) !== allowed)).toEqual([])
  })

  test('cuts off lines where the reference implementation does', () => {
    const long = (letter: string, before: string) => `/x/${letter.repeat(2083 * 8 - 3 - before.length + 1 - 3)}`
    const forbidden = long('a', 'disallow: ')
    expect(isAllowed(`user-agent: FooBot\ndisallow: ${forbidden}/qux\n`, 'FooBot', 'http://foo.bar/fux')).toBe(true)
    expect(
      isAllowed(`user-agent: FooBot\ndisallow: ${forbidden}/qux\n`, 'FooBot', `http://foo.bar${forbidden}/fux`),
    ).toBe(false)
    const [a, b] = [long('a', 'allow: '), long('b', 'allow: ')]
    const robots = `user-agent: FooBot\ndisallow: /\nallow: ${a}/qux\nallow: ${b}/qux\n`
    expect(isAllowed(robots, 'FooBot', 'http://foo.bar/')).toBe(false)
    expect(isAllowed(robots, 'FooBot', `http://foo.bar${a}/qux`)).toBe(true)
    expect(isAllowed(robots, 'FooBot', `http://foo.bar${b}/fux`)).toBe(true)
  })

  test.each([
    ['rfc9309-example-simple-robots.txt', 'foobot', '/example/page.html', true],
    ['rfc9309-example-simple-robots.txt', 'foobot', '/example/other', false],
    ['rfc9309-example-simple-robots.txt', 'bazbot', '/example/page.html', false],
    ['rfc9309-example-simple-robots.txt', 'quxbot', '/anything', true],
    ['rfc9309-example-simple-robots.txt', 'anybot', '/picture.gif', false],
    ['rfc9309-example-simple-robots.txt', 'anybot', '/publications/', true],
    ['rfc9309-example-longest-match-robots.txt', 'foobot', '/example/page/disallowed.gif', false],
    ['rfc9309-example-longest-match-robots.txt', 'foobot', '/example/page/', true],
    ['rfc9309-example-rule-group-merging.txt', 'examplebot', '/baz', false],
    ['rfc9309-example-rule-group-merging.txt', 'bazbot', '/foo', true],
    ['rfc9309-example-rule-group-merging.txt', 'anybot', '/bar', false],
    ['crawl-delay-group-merging.txt', 'mybot', '/private/', false],
    ['crawl-delay-group-merging.txt', 'yourbot', '/login/', false],
    ['crawl-delay-group-merging.txt', 'anybot', '/private/', true],
    ['extensions-group-merging.txt', 'mybot', '/private/', false],
    ['extensions-group-merging.txt', 'anybot', '/llms.txt', true],
    ['extensions-group-merging.txt', 'anybot', '/other', false],
    ['directive-typos-robots.txt', 'bot1', '/desallow/', false],
    ['directive-typos-robots.txt', 'bot1', '/dissalow/', false],
    ['directive-typos-robots.txt', 'bot2', '/useragent/', false],
    ['directive-typos-robots.txt', 'bot3', '/useg-agent/', false],
    ['directive-typos-robots.txt', 'bot4', '/useragent-no-colon/', false],
    ['format-errors-robots.txt', 'bot1', '/whitespace-before-colon/', false],
    ['format-errors-robots.txt', 'bot1', '/no-colon/', false],
    ['format-errors-robots.txt', 'bot2', '/no-colon-useragent/', false],
    ['format-errors-robots.txt', 'bot3', '/whitespace-before-colon', true],
    ['merge-rules.txt', 'wget', '/foo/bar', true],
    ['merge-rules.txt', 'wget', '/tmp/bar', false],
    ['precedence-of-rules.txt', 'testy', '/foo/bar/baz.html', true],
    ['precedence-of-rules.txt', 'testy', '/foo/bat', false],
    ['robots-with-utf8-bom.txt', 'anybot', '/profile', false],
    ['robots-with-utf16le-bom.txt', 'anybot', '/profile', false],
    ['robots-with-utf16be-bom.txt', 'anybot', '/profile', false],
    ['wildcards.txt', 'anybot', '/gp/cart', false],
  ])('applies %s to %s and %s: allowed %s', async (file, agent, path, allowed) => {
    const rules = parseRobots(
      await readFile(join(corpus ?? '', 'crawler-commons', file)),
      agent,
      'http://a.dev/robots.txt',
    )
    expect(allowsPath(rules, path)).toBe(allowed)
  })

  test.each([
    ['crawl-delay-group-merging.txt', 'mybot', 10],
    ['crawl-delay-group-merging.txt', 'yourbot', null],
    ['crawl-delay-group-merging.txt', 'anybot', 30],
    ['dos-line-endings.txt', 'anybot', 1],
    ['astore.amazon.com-robots.txt', 'anybot', 5],
    ['twitter.com-robots.txt', 'msnbot', 10],
  ])('reads from %s for %s a crawl delay of %s', async (file, agent, delay) => {
    const bytes = await readFile(join(corpus ?? '', 'crawler-commons', file))
    expect(parseRobots(bytes, agent, 'http://a.dev/robots.txt').crawlDelay).toBe(delay)
  })

  test.each([
    ['sitemap-robots.txt', ['http://domain.com/sitemap.xml', 'http://domain.com/dir/MixedCased-sitemap.xml']],
    ['sitemap-robots-dedup.txt', ['http://example.org/sitemap.xml']],
    ['relative-sitemap-robots.txt', ['http://a.dev/sitemap.xml']],
    ['robots-with-utf16be-bom.txt', ['http://www.newsweek.com/sitemap_index.xml']],
  ])('reads the sitemaps of %s', async (file, sitemaps) => {
    const bytes = await readFile(join(corpus ?? '', 'crawler-commons', file))
    expect(parseRobots(bytes, 'anybot', 'http://a.dev/robots.txt').sitemaps).toEqual(sitemaps)
  })

  test('parses the files of real sites', async () => {
    const folder = join(corpus ?? '', 'protego-real/test_data')
    const files = await readdir(folder)
    expect(files.length).toBeGreaterThan(40)
    for (const file of files) {
      const rules = parseRobots(await readFile(join(folder, file)), 'Docent', `https://${file}/robots.txt`)
      expect(typeof allowsPath(rules, '/docs/?q=1'), file).toBe('boolean')
    }
  })
})

function isAllowed(robots: string, agent: string, url: string): boolean {
  return allowsPath(parseRobots(new TextEncoder().encode(robots), agent, 'http://foo.bar/robots.txt'), pathOf(url))
}

/** Path and query exactly as in the URL; the reference cases assume no normalisation. */
function pathOf(url: string): string {
  return /^https?:\/\/[^/]*(\/[^#]*)/.exec(url)?.[1] ?? '/'
}

/** Parses the reference implementation's test file: texts bound to names, and expectations on them. */
function readCases(source: string): Case[] {
  const text = String.raw`((?:"(?:[^"\\]|\\.)*"\s*)+)`
  const statement = new RegExp(
    String.raw`(?:string_view|std::string)\s+(\w+)\s*=\s*${text};|` +
      String.raw`EXPECT_(TRUE|FALSE)\(\s*IsUserAgentAllowed\(\s*(\w+|"")\s*,\s*"([^"]*)"\s*,\s*(\w+|"[^"]*"|${text})\s*\)\s*\)`,
    'g',
  )
  const texts = new Map<string, string>()
  const cases: Case[] = []
  const value = (term: string) => (term.startsWith('"') ? literal(term) : (texts.get(term) ?? ''))
  for (const [, name, bound = '', expected, robots = '', agent = '', url = ''] of source.matchAll(statement)) {
    if (name) texts.set(name, literal(bound))
    else cases.push({ robots: value(robots), agent, url: value(url), allowed: expected === 'TRUE' })
  }
  return cases
}

function literal(strings: string): string {
  return [...strings.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, part]) => (part ?? '').replaceAll('\\n', '\n')).join('')
}
