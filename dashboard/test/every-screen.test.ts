import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { installedBrowser } from '../../server/test/support/lib/installed-browser.ts'
import { disposeAll } from '../../server/test/support/lib/keep-open.ts'
import { sampleOf } from '../../server/test/support/lib/sample-of.ts'
import { SCREENS } from '../src/lib/screen-list.ts'
import { addRows, addServers, addSources } from './fill-account.ts'
import { inspect, readJson } from './inspect.ts'
import { type Dashboard, claim, openDashboard, testLong } from './open-dashboard.ts'
import { recordCalls } from './record-calls.ts'

const program = installedBrowser()

const PATHS = [...new Set(SCREENS.map(({ path }) => path))].filter((path) => path !== '/limits')
const nameOf = (path: string) => path.slice(1).replaceAll('/', '-').replaceAll(':', '')

/** The reference is whole. */
const WHOLE = /^\/reference/
const TWO_SCREENS = 2 * 900

/** All screens in three looks take minutes on a busy machine. */
if (inject('isLong')) vi.setConfig({ testTimeout: 900_000 })

/** Each test inspects some screens in `npm test`, and all of them in `npm run test:long`. */
const some = (turn: number) => sampleOf(PATHS, turn, 14)

describe.skipIf(program === null)('every screen', () => {
  let dashboard: Dashboard
  let page: Page
  let slug = 'empty'

  const addressOf = (path: string) => dashboard.docent.url + path.replace(':slug', slug)
  const head = () => page.getByRole('heading', { level: 1 }).first().waitFor()
  const settled = async () => {
    await head()
    await expect.poll(() => page.locator('.waiting').count()).toBe(0)
  }
  /** Goes on within the application. */
  const follow = (path: string) =>
    page.evaluate(`(() => {
      const link = document.createElement('a')
      link.href = ${JSON.stringify(addressOf(path))}
      document.body.append(link)
      link.click()
      link.remove()
    })()`)

  beforeAll(async () => {
    dashboard = await openDashboard(program ?? '')
    page = dashboard.page
    await claim(dashboard)
    // Makes the account a developer, who owns the widgets.
    await readJson(page, '/api/credentials')
  })
  afterAll(() => disposeAll(dashboard))

  test('has nothing for axe to find while the account is empty', async () => {
    for (const path of some(0)) {
      if (path.includes('/servers/')) continue
      await page.goto(addressOf(path))
      await settled()
      await inspect(page, `empty-${nameOf(path)}`)
    }
    await dashboard.docent.inStore((store) => addServers(store, 1))
    slug = 'manual-1'
    for (const path of some(1)) {
      if (!path.includes('/servers/')) continue
      await page.goto(addressOf(path))
      await settled()
      await inspect(page, `empty-${nameOf(path)}`)
    }
  })

  test('has nothing for axe to find with 200 rows in its lists', async () => {
    await dashboard.docent.inStore(async (store) => {
      await store.transaction((tx) => tx.deleteFrom('servers').execute())
      slug = await addServers(store, 200)
      await addSources(store, slug, { sources: 50, pages: 10_000 })
      await addRows(store, slug, 200)
    })
    const { id, sources } = await readJson<{ id: string; sources: { id: string }[] }>(page, `/api/mcp/${slug}`)
    const called = { id, sourceId: sources[0]?.id ?? '', url: 'https://manuals.example.com' }
    await dashboard.docent.inStore((store) => recordCalls(store, called))
    for (const path of some(2)) {
      await page.goto(addressOf(path))
      await settled()
      await inspect(page, `full-${nameOf(path)}`)
      if (WHOLE.test(path)) continue
      const heights = await page
        .locator('main table, main ul, main ol')
        .evaluateAll((lists) => lists.map((list) => list.getBoundingClientRect().height))
      expect.soft({ path, tall: heights.filter((height) => height > TWO_SCREENS) }).toEqual({ path, tall: [] })
    }
  })

  testLong('has nothing for axe to find while the service is slow', async () => {
    for (const path of some(3)) {
      let release = () => undefined as void
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      await page.route('**/api/**', async (route) => {
        await held
        // The page may have left in the meantime.
        await route.continue().catch(() => undefined)
      })
      await page.goto(addressOf(path))
      await head()
      await inspect(page, `loading-${nameOf(path)}`)
      release()
      await page.unroute('**/api/**')
      await settled()
    }
  })

  testLong('has nothing for axe to find when the service answers with an error', async () => {
    for (const path of some(4)) {
      await page.route(/\/api\/(?!sessions)/, (route) =>
        route.fulfill({
          status: 500,
          json: { error: 'internal', message: 'The service has a bug. It is in its log.' },
        }),
      )
      await page.goto(addressOf(path))
      await settled()
      await inspect(page, `error-${nameOf(path)}`)
      await page.unroute(/\/api\/(?!sessions)/)
    }
  })

  testLong('has nothing for axe to find while the browser is offline', async () => {
    for (const path of some(5)) {
      await page.goto(addressOf(path))
      await settled()
      await dashboard.context.setOffline(true)
      await page.getByRole('status').getByText('You are offline').waitFor()
      await inspect(page, `offline-${nameOf(path)}`)
      await dashboard.context.setOffline(false)
      await page.getByText('You are offline').waitFor({ state: 'detached' })
    }
  })

  testLong('has nothing for axe to find when the session has ended', async () => {
    const cookies = await dashboard.context.cookies()
    for (const path of some(6)) {
      await page.goto(addressOf('/reference'))
      await settled()
      await dashboard.context.clearCookies()
      await follow(path)
      await page.waitForLoadState('networkidle')
      await head()
      await inspect(page, `expired-${nameOf(path)}`)
      await dashboard.context.addCookies(cookies)
    }
  })

  test('logs nothing to the browser console', () => {
    // The browser reports each failed request itself.
    expect(dashboard.complaints.filter((text) => !/Failed to load resource|net::ERR/.test(text))).toEqual([])
  })
})
