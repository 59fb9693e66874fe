import { describe, expect, test } from 'vitest'
import { allowsPath, parseRobots } from './robots-rules.ts'
import { cpuSeconds } from '../../test/support/lib/cpu-seconds.ts'

const FROM = 'https://docs.example/robots.txt'

function read(text: string, agent = 'Docent') {
  return parseRobots(new TextEncoder().encode(text), agent, FROM)
}

function allows(text: string, path: string, agent = 'Docent') {
  return allowsPath(read(text, agent), path)
}

describe('agent groups', () => {
  test('applies all groups of the crawler, and those for everyone only if there is none', () => {
    const robots =
      'User-agent: *\nDisallow: /a\n\nUser-agent: docent\nDisallow: /b\n\nUser-agent: DOCENT/2.0\nDisallow: /c'
    expect([allows(robots, '/a'), allows(robots, '/b'), allows(robots, '/c')]).toEqual([true, false, false])
    expect([allows(robots, '/a', 'other'), allows(robots, '/b', 'other')]).toEqual([false, true])
  })

  test('shares a group between consecutive agents, across sitemaps and unknown lines', () => {
    const robots = 'User-agent: docent\nSitemap: /s.xml\nCrawl-delay: 3\nUser-agent: other\nDisallow: /x'
    expect([allows(robots, '/x'), allows(robots, '/x', 'other')]).toEqual([false, false])
    expect([read(robots).crawlDelay, read(robots, 'other').crawlDelay]).toEqual([3, null])
  })

  test('allows everything for a group without rules, even if all others are excluded', () => {
    expect(allows('User-agent: *\nDisallow: /\nUser-agent: docent\nDisallow:', '/x')).toBe(true)
  })

  test('ignores rules before any agent', () => {
    expect(allows('Disallow: /\nUser-agent: docent\nAllow: /y', '/x')).toBe(true)
  })
})

describe('rules', () => {
  test.each([
    ['/fish', '/fish/salmon', true],
    ['/fish', '/Fish', false],
    ['/fish*', '/fish', true],
    ['/*.php$', '/a/b.php', true],
    ['/*.php$', '/a/b.php?c', false],
    ['/a*b*c$', '/a-b-b-c', true],
    ['/a*b*c$', '/a-c', false],
    ['/a*a$', '/a', false],
    ['/a$b', '/a$b', true],
    ['/exact$', '/exactly', false],
    ['*', '/anything', true],
    ['/caf\u00e9', '/caf%C3%A9', true],
    ['/%c3%a9', '/%C3%A9', true],
  ])('compares the pattern %s with the path %s: %s', (pattern, path, matching) => {
    expect(allows(`User-agent: *\nDisallow: ${pattern}`, path)).toBe(!matching)
  })

  test('applies the longest rule, or the allow rule on a tie', () => {
    expect(allows('User-agent: *\nDisallow: /a/b\nAllow: /a', '/a/b')).toBe(false)
    expect(allows('User-agent: *\nDisallow: /a\nAllow: /a', '/a')).toBe(true)
    expect(allows('User-agent: *\nDisallow: /\nAllow: /docs/index.html', '/docs/')).toBe(true)
  })

  test('tolerates missing colons, odd case, comments, carriage returns and a byte order mark', () => {
    expect(allows('\ufeffuser-agent docent\rDISSALLOW /x # not this\r', '/x/y')).toBe(false)
  })

  test('evaluates a hostile file in bounded time, and forbids paths that would take longer', () => {
    const robots = read(`User-agent: *\nDisallow: /${'*a'.repeat(8_000)}b\n`.repeat(30))
    expect(cpuSeconds(() => expect(allowsPath(robots, `/${'a'.repeat(8_000)}`)).toBe(false))).toBeLessThan(0.1)
  })

  test('reads 500 KiB of blanks in linear time', () => {
    const blanks = `User-agent: *\nDisallow: ${' '.repeat(500 * 1024)}x`
    const lines = `User-agent: *\nDisallow: /a${' \t'.repeat(8_000)}b\n`.repeat(32)
    expect(cpuSeconds(() => [read(blanks), read(lines)])).toBeLessThan(1)
  })

  test('ignores rules beyond 500 KiB', () => {
    const filler = `# ${'x'.repeat(98)}\n`.repeat(5_200)
    expect(allows(`User-agent: *\n${filler}Disallow: /x`, '/x')).toBe(true)
  })
})

test('lists sitemaps once, as absolute URLs', () => {
  const robots = read(
    'Sitemap: /a.xml\nUser-agent: *\nsitemap: https://docs.example/a.xml\nSite-map: http://cdn.example/B.xml\nSitemap:',
  )
  expect(robots.sitemaps).toEqual(['https://docs.example/a.xml', 'http://cdn.example/B.xml'])
})
