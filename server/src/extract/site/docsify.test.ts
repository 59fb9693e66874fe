import { describe, expect, test } from 'vitest'
import { docsifyOf, fileOf, routeTo } from './docsify.ts'

const page = (settings: string) => `<div id="app"></div><script>window.$docsify = {${settings}}</script>`
const SHELL = 'https://a.test/docs/'
const plain = { home: SHELL, homepage: 'README.md', isRelative: false }

test.each([
  ['', plain],
  ["basePath: '/content', homepage: 'home.md'", { ...plain, home: 'https://a.test/content/', homepage: 'home.md' }],
  ['relativePath: true', { ...plain, isRelative: true }],
  ["basePath: 'https://raw.b.test/main/'", null],
])('reads the settings {%s} of a Docsify page', (settings, expected) => {
  expect(docsifyOf(page(settings), SHELL)).toEqual(expected)
})

test('finds no settings on a page without Docsify', () => {
  expect(docsifyOf('<p>How $docsify is set up</p>', SHELL)).toBeNull()
})

describe('Docsify routes', () => {
  test.each([
    ['', 'README.md'],
    ['#/guide', 'guide.md'],
    ['#/guide/', 'guide/README.md'],
    ['#!/guide/start.md', 'guide/start.md'],
  ])('maps the route "%s" to the file %s', (route, file) => expect(fileOf(plain, route)).toBe(SHELL + file))

  test.each(['#/../secret', '#/https://b.test/x', '#//b.test/x'])(
    'keeps the route %s inside the site folder',
    (route) => {
      const file = fileOf(plain, route)
      expect(file === null || file.startsWith(SHELL)).toBe(true)
    },
  )
})

test.each([
  [`${SHELL}guide/start.md`, `${SHELL}#/guide/start`],
  [`${SHELL}guide/README.md?x=1#part`, `${SHELL}#/guide/`],
  [`${SHELL}README.md`, SHELL],
  [`${SHELL}#/guide?id=part`, `${SHELL}#/guide?id=part`],
  [`${SHELL}old/index.html`, `${SHELL}old/index.html`],
  ['https://b.test/docs/guide.md', 'https://b.test/docs/guide.md'],
])('maps a link to %s to the page %s', (link, expected) => {
  expect(routeTo(plain, link, SHELL)).toBe(expected)
})
