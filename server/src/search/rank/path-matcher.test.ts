import { expect, test } from 'vitest'
import { pathMatcher } from './page-filter.ts'

const FILE = 'https://x.example/o/r.git?docent-file=docs/api.md'

test.each([
  ['/docs', 'https://x.example/docs/a', true],
  ['docs/', 'https://x.example/docs', true],
  ['/docs', 'https://x.example/old/docs', false],
  ['/*/docs', 'https://x.example/old/docs', true],
  ['/o/r.git/docs', FILE, true],
  ['*/docs/*', FILE, true],
  ['/o/r.git/src', FILE, false],
  ['/search', 'https://x.example/search?q=/docs', true],
])('matches %s against %s: %s', (path, url, expected) => expect(pathMatcher(path)(url)).toBe(expected))
