import { describe, expect, test } from 'vitest'
import { compilePattern, matchesPattern } from '#lib/addresses/path-pattern.ts'
import { allowsPath, parseRobots, indexPathRules, MAX_STEPS, type PathRule } from './robots-rules.ts'
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

/** Reference implementation that tries all rules. The index must agree. */
function allowsByTrying(rules: readonly PathRule[], path: string): boolean {
  const matching = rules.filter(({ pattern }) => matchesPattern(compilePattern(pattern), path))
  const longest = Math.max(0, ...matching.map(({ pattern }) => pattern.length))
  const deciding = matching.filter(({ pattern }) => pattern.length === longest)
  return deciding.length === 0 || deciding.some(({ allow }) => allow)
}

test('gives the same result as testing every rule in sequence', () => {
  // A small alphabet, so that patterns overlap, nest and tie.
  let state = 7
  const random = (below: number) => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return Math.floor((state / 4_294_967_296) * below)
  }
  const word = (letters: string, most: number) =>
    Array.from({ length: random(most) }, () => letters[random(letters.length)]).join('')
  for (let round = 0; round < 2_000; round++) {
    const rules = Array.from({ length: random(12) }, () => ({
      pattern: `${word('/ab*', 6)}${random(3) === 0 ? '$' : ''}` || '/',
      allow: random(2) === 0,
    }))
    const index = indexPathRules(rules)
    for (const path of ['/', `/${word('/ab', 6)}`, `/${word('ab', 3)}`]) {
      expect(allowsPath({ rules: index }, path), JSON.stringify({ rules, path })).toBe(allowsByTrying(rules, path))
    }
  }
})

const many = (count: number, pattern: (at: number) => string): PathRule[] =>
  Array.from({ length: count }, (_, at) => ({ pattern: pattern(at), allow: false }))

/** About 500 KiB each, the maximum that is read of a robots.txt. */
const HOSTILE: [what: string, rules: PathRule[], path: string][] = [
  ['wildcards that match nowhere', many(50_000, (at) => `/*${at}z`), `/${'a'.repeat(2_000)}`],
  ['wildcards of one letter', many(80_000, () => '/*b'), `/${'a'.repeat(8_000)}`],
  ['pieces that nearly match', many(5_000, (at) => `/*${'a'.repeat(90)}${at}`), `/${'a'.repeat(8_000)}`],
  ['rows of wildcards', many(30, () => `/${'*a'.repeat(8_000)}b`), `/${'a'.repeat(8_000)}`],
  ['paths that contain each other', many(1_000, (at) => `/${'a'.repeat(at)}`), `/${'a'.repeat(2_000)}`],
  ['folders with a wildcard in each', many(700, (at) => `/${'a/'.repeat(at / 2)}*z`), `/${'a/'.repeat(4_000)}`],
  ['plain paths', many(60_000, (at) => `/p${at}`), `/p${'9'.repeat(2_000)}`],
]

test.each(HOSTILE)('judges a path in 1 ms with a file of %s', (_, rules, path) => {
  const index = indexPathRules(rules)
  const seconds = cpuSeconds(() => {
    for (let at = 0; at < 50; at++) allowsPath({ rules: index }, path)
  })
  // A loaded machine takes up to twice as long.
  expect(seconds / 50).toBeLessThan(0.004)
})

test('forbids a path whose rules need more steps than the limit, but not one at the limit', () => {
  // 16 for the piece, 1 for its length, and the rest of the path after its head.
  const index = indexPathRules([{ pattern: '/*z', allow: false }])
  const path = `/${'a'.repeat(100)}`
  expect(allowsPath({ rules: index }, path, 117)).toBe(false)
  expect(allowsPath({ rules: index }, path, 118)).toBe(true)
})

test('judges a path of 200 characters with 1,000 wildcards within the step limit', () => {
  const index = indexPathRules(many(1_000, (at) => `/*?filter${at}=`))
  expect(allowsPath({ rules: index }, `/${'shop/'.repeat(40)}`, MAX_STEPS)).toBe(true)
})
