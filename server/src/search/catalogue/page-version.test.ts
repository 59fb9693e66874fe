import { expect, test } from 'vitest'
import { addressOfCopy, copyAt, isOfVersion, isOlderThan, latestOf, versionInUrl } from './page-version.ts'

test.each([
  ['https://x.example/v2/guide', 'v2'],
  ['https://g.example/x.git?docent-file=docs/a.md&h=v1.0', 'v1.0'],
  ['https://g.example/x.git?docent-file=docs/a.md', null],
  ['https://g.example/x.git/tree/v3/a.md?h=release%2F2.x', '2.x'],
  ['https://x.example/docs/3.11/library', '3.11'],
  ['https://x.example/5x/api', '5x'],
  ['https://x.example/docs/4.x/routing', '4.x'],
  ['https://x.example/en/Stable/', 'stable'],
  ['https://v2.x.example/guide', 'v2'],
  ['https://github.com/o/r/blob/main/docs/v1/a.md', 'main'],
  ['https://x.example/api/2024-01-01/users', '2024-01-01'],
  ['https://x.example/legacy/guide', 'legacy'],
  ['https://x.example/legacy/v1/guide', 'v1'],
  ['https://x.example/guide/legacy-code', null],
  ['https://x.example/tutorial/1-setup/2', null],
  ['https://x.example/blog/2024/10/21/news', null],
  ['https://x.example/vue/guide?v=v2', null],
])('reads from %s the version %s', (url, version) => expect(versionInUrl(url)).toBe(version))

test.each([
  ['v2', '2', true],
  ['2.1', '2', true],
  ['2.x', '2.4.1', true],
  ['5x', 'v5', true],
  ['2.1', '2.2', false],
  ['main', 'MAIN', true],
  ['latest', 'stable', true],
  ['v2', 'latest', false],
  ['legacy', 'latest', false],
  ['legacy', 'legacy', true],
  ['legacy', '2', false],
  [null, 'latest', true],
  [null, '2', false],
])('checks if version %s satisfies %s: %s', (version, asked, isIt) => expect(isOfVersion(version, asked)).toBe(isIt))

test.each<[what: string, pages: [string | null, number][], latest: string | null]>([
  [
    'the highest release, if it has more pages than those without a version',
    [
      [null, 1],
      ['v9', 9],
      ['v10', 2],
    ],
    'v10',
  ],
  [
    'no release, if as many pages have no version',
    [
      [null, 9],
      ['v1', 9],
      ['v2', 9],
    ],
    null,
  ],
  [
    'no pre-release',
    [
      [null, 1],
      ['v1', 9],
      ['v2-beta', 9],
    ],
    'v1',
  ],
  [
    'no older name',
    [
      [null, 1],
      ['old', 9],
      ['next', 9],
    ],
    null,
  ],
  [
    'no release beside a current version by name',
    [
      ['stable', 20],
      ['v9', 9],
    ],
    null,
  ],
])('takes for the latest %s', (_, pages, latest) => expect(latestOf(new Map(pages))).toBe(latest))

test.each([
  ['v1', 'v2', true],
  ['v2', 'v1', false],
  ['v9', 'v10', true],
  ['v1', null, true],
  ['v1', 'stable', true],
  [null, 'v1', false],
  ['old', 'v1', true],
  ['legacy', 'old', false],
  ['next', null, false],
  ['v1', 'next', false],
  ['v1', 'v1', false],
])('checks if %s is older than %s: %s', (one, other, isIt) => expect(isOlderThan(one, other)).toBe(isIt))

test.each([
  ['/v2/guide/a', '/v1/guide/a', '3+1/v1'],
  ['/docs/a', '/docs/1.x/a', '4+0/1.x'],
  ['/o/r/blob/main/a.md', '/o/r/blob/v1.0/a.md', '6+1/v1.0'],
  ['/o/r/src/branch/main/a.md', '/o/r/src/tag/v1.0/a.md', '6+2/tag/v1.0'],
  ['/v2', '/v1', '3+1/v1'],
  ['/x.git/tree/a.md?h=main', '/x.git/tree/a.md?h=v1.0', '6+1/?h=v1.0'],
  ['/x.git?docent-file=a/b.md', '/x.git?docent-file=a/b.md&h=v1.0', '5+0/&h=v1.0'],
])('finds the place where the address of a copy of %s differs, %s', (own, other, copy) => {
  const [url, copied] = [`https://x.example${own}`, `https://x.example${other}`]
  expect(copyAt(url, copied)).toBe(copy)
  expect(addressOfCopy(url, copy)).toBe(copied)
})

test.each([
  ['/v2/a', '/v1/b'],
  ['/guide/a', '/tutorial/a'],
  ['/docs/1.x/a', '/docs/a'],
  ['/a/b/v2/x', '/c/d/v1/x'],
  ['/v2/a', '/v2/a'],
])('takes %s and %s for different pages', (own, other) => {
  expect(copyAt(`https://x.example${own}`, `https://x.example${other}`)).toBeNull()
})
