import { expect, test } from 'vitest'
import { createVariants } from './variants.ts'

/** Which of the paths are left out, after all of them were shown. */
function leftOut(paths: string[], prefix = '/'): string[] {
  const variants = createVariants(prefix)
  const urls = paths.map((path) => new URL(path, 'https://docs.example'))
  for (const url of urls) variants.note(url)
  return urls.filter((url) => variants.of(url) !== null).map(({ pathname }) => pathname)
}

test.each([
  ['the newest of numbered versions', ['/v1/a', '/v2/a', '/v10/a', '/about'], ['/v1/a', '/v2/a']],
  ['a named one over numbers', ['/latest/a', '/v2/a', '/next/a'], ['/v2/a', '/next/a']],
  ['stable over latest', ['/stable/a', '/latest/a', '/1.4/a'], ['/latest/a', '/1.4/a']],
  [
    'the pages without a version over old ones of the same name',
    ['/docs/a', '/docs/1.x/a', '/docs/next/a'],
    ['/docs/1.x/a', '/docs/next/a'],
  ],
  ['the same, met in the other order', ['/docs/1.x/a', '/docs/next/a', '/docs/a'], ['/docs/1.x/a', '/docs/next/a']],
  ['each product by itself', ['/one/v1/a', '/one/v2/a', '/two/v1/a'], ['/one/v1/a']],
  ['English among languages', ['/de/a', '/en/b', '/ja/a'], ['/de/a', '/ja/a']],
  ['the language without a code', ['/a', '/de/a', '/zh-CN/a'], ['/de/a', '/zh-CN/a']],
  ['one of each', ['/en/latest/a', '/en/v1/a', '/de/latest/a', '/de/v1/a'], ['/en/v1/a', '/de/latest/a', '/de/v1/a']],
])('takes %s', (_, paths, left) => expect(leftOut(paths)).toEqual(left))

test.each([
  ['a single version', ['/v2/a', '/v2/b', '/about']],
  ['years and numbers', ['/blog/2023/a', '/blog/2024/a', '/issues/12', '/issues/13']],
  ['words that are also names of versions', ['/next/a', '/main/b', '/dev/c']],
  ['pages that are called like versions', ['/upgrade-to/v4', '/upgrade-to/v5', '/upgrade-to/v6/']],
  ['two letters that share no page', ['/it/tools', '/id/tokens']],
  ['a single language', ['/en/a', '/en/b']],
  ['a module that is called like a version', ['/prelude/index.html', '/prelude/v1/index.html', '/prelude/v1/a']],
])('leaves %s alone', (_, paths) => expect(leftOut(paths)).toEqual([]))

test('looks at nothing above the start', () => {
  expect(leftOut(['/v1/a', '/v2/a', '/v1/guide/b'], '/v1/')).toEqual([])
})
