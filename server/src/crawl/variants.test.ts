import { expect, test } from 'vitest'
import { Variants } from './variants.ts'

/** Returns the paths that are left out after all were noted. */
function leftOut(paths: string[], prefix = '/'): string[] {
  const variants = new Variants(prefix)
  const urls = paths.map((path) => new URL(path, 'https://docs.example'))
  for (const url of urls) variants.note(url)
  return urls.filter((url) => variants.of(url) !== null).map(({ pathname }) => pathname)
}

test.each([
  ['the newest of numbered versions', ['/v1/a', '/v2/a', '/v10/a', '/about'], ['/v1/a', '/v2/a']],
  ['a named version over numbers', ['/latest/a', '/v2/a', '/next/a'], ['/v2/a', '/next/a']],
  ['stable over latest', ['/stable/a', '/latest/a', '/1.4/a'], ['/latest/a', '/1.4/a']],
  [
    'the pages without a version over old ones of the same name',
    ['/docs/a', '/docs/1.x/a', '/docs/next/a'],
    ['/docs/1.x/a', '/docs/next/a'],
  ],
  [
    'the pages without a version, met last',
    ['/docs/1.x/a', '/docs/next/a', '/docs/a'],
    ['/docs/1.x/a', '/docs/next/a'],
  ],
  ['each product by itself', ['/one/v1/a', '/one/v2/a', '/two/v1/a'], ['/one/v1/a']],
  ['English among languages', ['/de/a', '/en/b', '/ja/a'], ['/de/a', '/ja/a']],
  ['the language without a code', ['/a', '/de/a', '/zh-CN/a'], ['/de/a', '/zh-CN/a']],
  [
    'one version in one language',
    ['/en/latest/a', '/en/v1/a', '/de/latest/a', '/de/v1/a'],
    ['/en/v1/a', '/de/latest/a', '/de/v1/a'],
  ],
])('chooses the variant to index: %s', (_, paths, left) => expect(leftOut(paths)).toEqual(left))

test.each([
  ['a single version', ['/v2/a', '/v2/b', '/about']],
  ['years and numbers', ['/blog/2023/a', '/blog/2024/a', '/issues/12', '/issues/13']],
  ['words that can be version names', ['/next/a', '/main/b', '/dev/c']],
  ['pages with version-like names', ['/upgrade-to/v4', '/upgrade-to/v5', '/upgrade-to/v6/']],
  ['two letters that share no page', ['/it/tools', '/id/tokens']],
  ['a single language', ['/en/a', '/en/b']],
  ['a module with a version-like name', ['/prelude/index.html', '/prelude/v1/index.html', '/prelude/v1/a']],
])('keeps pages that are no variants: %s', (_, paths) => expect(leftOut(paths)).toEqual([]))

test('ignores path segments above the start', () => {
  expect(leftOut(['/v1/a', '/v2/a', '/v1/guide/b'], '/v1/')).toEqual([])
})
