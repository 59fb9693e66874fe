import { expect, test } from 'vitest'
import { hashRoute, withoutSection, sectionAddress, addressPath, fileAddress, addressKey } from './page-address.ts'

test.each([
  ['#/guide', '#/guide'],
  ['#!/guide/start', '#!/guide/start'],
  ['#/guide?id=install', '#/guide'],
  ['#/items?page=2', '#/items?page=2'],
  ['#/guide#install', '#/guide'],
  ['#/', ''],
  ['#!/', ''],
  ['#install', ''],
  ['#!important', ''],
  ['', ''],
])('reads the fragment %s as the route %s', (fragment, route) => {
  expect(hashRoute(fragment)).toBe(route)
})

test.each([
  ['https://a.test/b', 'c', 'https://a.test/b#c'],
  ['https://a.test/#/b', 'c', 'https://a.test/#/b?id=c'],
  ['https://a.test/b', null, 'https://a.test/b'],
  ['https://a.test/b', '<tt>c</tt>_d é"`', 'https://a.test/b#%3Ctt%3Ec%3C/tt%3E_d%20é%22%60'],
  [
    'https://a.test/api.json?docent-operation=GET+/b',
    '/paths/~1b/get',
    'https://a.test/api.json?docent-operation=GET+/b#/paths/~1b/get',
  ],
])('cites a section of %s so that its page can be recovered: %s', (page, anchor, section) => {
  expect(sectionAddress(page, anchor)).toBe(section)
  expect(withoutSection(section)).toBe(page)
})

test.each([
  ['https://x.example', '/'],
  ['https://x.example/', '/'],
  ['https://x.example/docs/?a=/b#c/d', '/docs'],
  ['https://x.example/docs#a?docent-file=b', '/docs'],
  ['https://x.example/a.git?docent-file=docs/api.md#top', '/a.git/docs/api.md'],
  ['https://x.example/?docent-file=README.md', '/README.md'],
])('extracts the path of %s as %s', (url, path) => expect(addressPath(url)).toBe(path))

test('recovers the path from a file address', () => {
  expect(addressPath(fileAddress('https://x.example/a.git', 'src/a.ts'))).toBe('/a.git/src/a.ts')
})

test.each([
  'https://a.test/s2/',
  'https://a.test/s2//',
  'https://A.test:443/s2',
  'https://a.test./s2#',
  'https://a.test/x/../s2/#part',
])('treats %s as https://a.test/s2', (address) => {
  expect(addressKey(address)).toBe(addressKey('https://a.test/s2'))
})

test.each([
  'http://a.test/s2',
  'https://a.test:8443/s2',
  'https://a.test/S2',
  'https://a.test/s2?x',
  'https://a.test/s2/a',
  'https://a.test/',
  'https://www.a.test/s2',
  'upload://a/s2',
])('distinguishes %s from https://a.test/s2', (address) => {
  expect(addressKey(address)).not.toBe(addressKey('https://a.test/s2'))
})

test('returns other text unchanged', () => {
  expect(addressKey('upload://a/')).toBe('upload://a/')
  expect(addressKey('not an address')).toBe('not an address')
})
