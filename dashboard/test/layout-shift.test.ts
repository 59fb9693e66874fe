import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installedBrowser } from '../../server/test/support/lib/installed-browser.ts'
import { disposeAll } from '../../server/test/support/lib/keep-open.ts'
import { sampleOf } from '../../server/test/support/lib/sample-of.ts'
import { addRows, addServers, addSources } from './fill-account.ts'
import { readJson } from './inspect.ts'
import { type Dashboard, claim, openDashboard } from './open-dashboard.ts'

const program = installedBrowser()
/** The slow network of `npm run bench -- dashboard`: scripts, answers and fonts come one after the other. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const WATCH = `
globalThis.shift = 0
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) shift += value
}).observe({ type: 'layout-shift', buffered: true })`
/** Of ux: cumulative layout shift. */
const MOST = 0.05
/** After the last answer, for fonts and the next paints. */
const SETTLE_MS = 1_000

describe.skipIf(program === null)('screens on a phone with a slow network', () => {
  let dashboard: Dashboard
  let slug = ''
  beforeAll(async () => {
    dashboard = await openDashboard(program ?? '')
    await claim(dashboard)
    await readJson(dashboard.page, '/api/credentials')
    await dashboard.docent.inStore(async (store) => {
      slug = await addServers(store, 200)
      await addSources(store, slug, { sources: 50, pages: 200 })
      await addRows(store, slug, 20)
    })
  })
  afterAll(() => disposeAll(dashboard))

  const paths = [
    '/servers',
    '/servers/:slug',
    '/servers/:slug/pages',
    '/servers/:slug/playground',
    '/servers/:slug/widget',
    '/plan',
  ]
  test.each(sampleOf(paths, 1, 6))('%s stands still while it loads', async (path) => {
    const state = await dashboard.context.storageState()
    const context = await dashboard.context
      .browser()
      ?.newContext({ storageState: state, viewport: { width: 390, height: 844 } })
    if (!context) throw new Error('There is no browser')
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', NETWORK)
    await page.addInitScript(WATCH)
    await page.goto(dashboard.docent.url + path.replace(':slug', slug))
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await expect.poll(() => page.locator('.waiting').count()).toBe(0)
    await page.evaluate('document.fonts.ready')
    await sleep(SETTLE_MS)
    expect(await page.evaluate<number>('shift')).toBeLessThanOrEqual(MOST)
    await context.close()
  })
})
