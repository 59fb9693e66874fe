import { expect, test } from 'vitest'
import { compilePattern, matchesPattern } from '#lib/addresses/path-pattern.ts'
import { cpuSeconds } from '../../test/support/lib/cpu-seconds.ts'
import { allowsPathBy, indexPathRules, MAX_STEPS, type PathRule } from './path-rules.ts'

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
      expect(allowsPathBy(index, path), JSON.stringify({ rules, path })).toBe(allowsByTrying(rules, path))
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

test.each(HOSTILE)('judges a path within 1 ms with a file of %s', (_, rules, path) => {
  const index = indexPathRules(rules)
  const seconds = cpuSeconds(() => {
    for (let at = 0; at < 50; at++) allowsPathBy(index, path)
  })
  expect(seconds / 50).toBeLessThan(0.001)
})

test('forbids a path whose rules need more steps than the limit, but not one at the limit', () => {
  // 16 for the piece, 1 for its length, and the rest of the path after its head.
  const index = indexPathRules([{ pattern: '/*z', allow: false }])
  const path = `/${'a'.repeat(100)}`
  expect(allowsPathBy(index, path, 117)).toBe(false)
  expect(allowsPathBy(index, path, 118)).toBe(true)
})

test('judges a path of 200 characters with 1,000 wildcards within the step limit', () => {
  const index = indexPathRules(many(1_000, (at) => `/*?filter${at}=`))
  expect(allowsPathBy(index, `/${'shop/'.repeat(40)}`, MAX_STEPS)).toBe(true)
})
