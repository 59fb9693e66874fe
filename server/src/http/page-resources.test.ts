import { expect, test } from 'vitest'
import { type MayRead, type PageResources, linksFor } from './browser-files.ts'

const screen = (path: string, name: string, plainReads: string[] = []) => ({
  path,
  scripts: [`/assets/${name}.js`],
  reads: [['servers.get' as const, `/api/${name}/:slug?state=indexed&page=1`] as const],
  plainReads: plainReads.map((path) => ['analytics.report' as const, path] as const),
})
const resources: PageResources = {
  fonts: ['/assets/sans.woff2'],
  front: ['/', '/sign-in'],
  frontReads: [['setup.get', '/api/setup']],
  sessionReads: [
    ['sessions.list', '/api/sessions'],
    ['account.usage', '/api/usage'],
  ],
  screens: [
    { ...screen('/servers', 'servers'), reads: [['servers.list', '/api/list']] },
    screen('/servers/:slug', 'overview'),
    screen('/servers/:slug/requests', 'requests', ['/api/report/:slug']),
  ],
}
type Asked = { hasQuery?: boolean; mayRead?: MayRead }
const hrefs = (path: string, { hasQuery = false, mayRead = () => true }: Asked = {}) =>
  [...linksFor(resources, { path, hasQuery, mayRead }).matchAll(/href="([^"]*)"/g)].map(([, href]) => href)

test('names the scripts, queries and fonts of the screen in the page', () => {
  expect(hrefs('/servers')).toEqual([
    '/assets/servers.js',
    '/api/sessions',
    '/api/list',
    '/api/usage',
    '/assets/sans.woff2',
  ])
})

test('puts the parameters of a path into the queries', () => {
  expect(hrefs('/servers/my-docs')).toContain('/api/overview/my-docs?state=indexed&amp;page=1')
})

test('escapes path parameters in attributes', () => {
  const links = linksFor(resources, { path: '/servers/"><b>&', hasQuery: false, mayRead: () => true })
  expect(links).toContain('/api/overview/%22%3E%3Cb%3E%26?state=indexed&amp;page=1')
  expect(links).not.toContain('<b>')
})

test('omits the preloaded queries if the address has filters', () => {
  expect(hrefs('/servers/my-docs/requests')).toContain('/api/report/my-docs')
  expect(hrefs('/servers/my-docs/requests', { hasQuery: true })).not.toContain('/api/report/my-docs')
})

test('leaves out the queries that would be refused', () => {
  expect(hrefs('/servers/my-docs/requests', { mayRead: (id) => id !== 'analytics.report' })).toEqual(
    hrefs('/servers/my-docs/requests').filter((href) => href !== '/api/report/my-docs'),
  )
})

test('prepares the list of servers on the front pages for a signed-in browser', () => {
  expect(hrefs('/')).toEqual(hrefs('/servers'))
})

test.each(['/', '/sign-in', '/servers'])('without a session, %s asks only for the way to an account', (path) => {
  expect(hrefs(path, { mayRead: null })).toEqual(['/api/setup', '/assets/sans.woff2'])
})

test.each(['/servers/', '/servers/a/b', '/elsewhere'])('%s is the page of no screen', (path) => {
  expect(hrefs(path)).toEqual(['/api/sessions', '/api/usage', '/assets/sans.woff2'])
})
