import { expect, test } from 'vitest'
import { hashRoute, withoutSection, sectionAddress } from './page-address.ts'

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
