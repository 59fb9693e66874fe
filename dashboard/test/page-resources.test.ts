import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installedBrowser } from '../../server/test/support/lib/installed-browser.ts'
import { sampleOf } from '../../server/test/support/lib/sample-of.ts'
import { page as html, type Site, startSite } from '../../server/test/support/sites/site.ts'
import { SCREENS } from '../src/lib/screen-list.ts'
import { type Dashboard, claim, makeServer, openDashboard } from './open-dashboard.ts'

const program = installedBrowser()

/** Records what the scripts of a page ask for. A preload that they never use is a wasted request. */
const RECORD = `
globalThis.asked = []
const { fetch } = globalThis
globalThis.fetch = (url, init) => {
  asked.push(new URL(url, location.href).href)
  return fetch(url, init)
}`
/** A link goes away when a screen uses its answer. */
const UNUSED = `[...document.querySelectorAll('link[rel="preload"][as="fetch"]')].map(({ href }) => href)`
const NAMED = /<link rel="preload" as="fetch" crossorigin href="([^"]+)"/g

describe.skipIf(program === null)('the resources of a page', () => {
  let dashboard: Dashboard
  let site: Site
  let slug = ''
  /** The tests load one page again and again: a new one costs half a second of processor time. */
  let page: Page
  const sent: string[] = []
  const missing: string[] = []

  beforeAll(async () => {
    site = await startSite({ '/': html('Sprocket manual', 'A sprocket drives the chain of a machine.') })
    dashboard = await openDashboard(program ?? '')
    await claim(dashboard)
    slug = await makeServer(dashboard, 'Sprocket manual', `${site.url}/`)
    page = await dashboard.context.newPage()
    page.on('request', (request) => {
      // Requests of the screen before do not count.
      if (request.isNavigationRequest()) sent.length = 0
      sent.push(request.url())
    })
    page.on('response', (response) => {
      if (response.status() >= 400 && response.url().includes('/assets/')) missing.push(response.url())
    })
    await page.addInitScript(RECORD)
  })
  afterAll(async () => {
    await dashboard?.[Symbol.asyncDispose]()
    await site?.[Symbol.asyncDispose]()
  })

  /** Opens a page, and gives the queries that it names, those of its scripts, and all that the service got. */
  async function load(path: string) {
    const { url } = dashboard.docent
    const html = (await (await page.goto(url + path))?.text()) ?? ''
    const named = [...html.matchAll(NAMED)].map(([, href = '']) => url + href.replaceAll('&amp;', '&'))
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(() => page.evaluate<string[]>(UNUSED)).toEqual([])
    return { named, asked: await page.evaluate<string[]>('asked'), sent: [...sent] }
  }

  test.each(sampleOf(SCREENS, 0, 6))(
    '$path asks only once for what its page names, and links to its help',
    async (screen) => {
      const { path, help } = screen
      const { named, asked, sent } = await load(path.replace(':slug', slug))
      expect(named.length).toBeGreaterThan(1)
      for (const url of named) {
        const times = (list: string[]) => list.filter((one) => one === url).length
        expect([url, times(sent)]).toEqual([url, times(asked)])
      }
      const scripts = sent.filter((url) => url.endsWith('.js'))
      expect(scripts).toHaveLength(new Set(scripts).size)
      expect(missing).toEqual([])
      const link = page.getByRole('link', { name: /^Help with this screen/ })
      expect(await link.getAttribute('href')).toBe(`/docs/${help}`)
    },
  )

  test('puts the filters of the address into the first query', async () => {
    const { named, asked } = await load(`/servers/${slug}/requests?range=7d`)
    expect(named.filter((url) => url.includes('range='))).toEqual([])
    expect(asked.filter((url) => url.endsWith(`/api/analytics/${slug}?range=7d`))).toHaveLength(1)
  })
})
