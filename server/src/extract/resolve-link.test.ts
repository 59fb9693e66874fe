import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLinkResolver, resolveLink } from './resolve-link.ts'

const BASES = [
  'https://docs.example/guide/start?v=2#top',
  'http://docs.example:8080/',
  'http://me:secret@docs.example/',
  'file:///srv/docs/',
  'no address',
]
const PIECES = [
  '/',
  '//',
  '.',
  '..',
  '/.',
  '%2e',
  '#',
  '?',
  '~',
  '_',
  '-',
  'A',
  'é',
  ' ',
  '\\',
  '\t',
  ':',
  '@',
  'guide',
  '/#/route',
]

test('resolves links the same with and without URL parsing', () => {
  const href = fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(fc.constantFrom(...BASES), fc.boolean(), fc.boolean(), href, (base, withRoutes, fromRoot, rest) => {
      const given = fromRoot ? `/${rest}` : rest
      expect(createLinkResolver(base, withRoutes)(given)).toBe(resolveLink(given, base, withRoutes))
    }),
    { numRuns: 3_000 },
  )
})

test.each([
  [1_980, true],
  [1_981, false],
])('accepts a URL with a path of %d characters: %s', (length, isFollowed) => {
  const path = `/${'a'.repeat(length - 1)}`
  const url = createLinkResolver('https://docs.example/')(path)
  expect(url).toBe(isFollowed ? `https://docs.example${path}` : null)
  expect(url).toBe(resolveLink(path, 'https://docs.example/'))
})
