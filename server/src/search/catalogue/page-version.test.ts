import { expect, test } from 'vitest'
import { isOfVersion, versionInUrl } from './page-version.ts'

test.each([
  ['https://x.example/v2/guide', 'v2'],
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
