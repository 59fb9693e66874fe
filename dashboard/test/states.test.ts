import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { installedBrowser } from '../../server/test/support/lib/installed-browser.ts'
import { disposeAll } from '../../server/test/support/lib/keep-open.ts'
import { page as html, type Site, startSite } from '../../server/test/support/sites/site.ts'
import { inspect, readJson } from './inspect.ts'
import { type Dashboard, EMAIL, PASSWORD, claim, makeServer, openDashboard, testLong } from './open-dashboard.ts'

const program = installedBrowser()

describe.skipIf(program === null)('states of the dashboard', () => {
  let dashboard: Dashboard
  let site: Site
  let page: Page
  let slug: string
  const open = (path: string) => page.goto(dashboard.docent.url + path)
  const nav = () => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Servers' })
  /** Answers of the service wait until the returned function is called. */
  const holdAnswers = async (paths: string) => {
    let release = () => undefined as void
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(paths, async (route) => {
      await held
      // The page may have left in the meantime.
      await route.continue().catch(() => undefined)
    })
    return async () => {
      release()
      await page.unroute(paths)
    }
  }

  beforeAll(async () => {
    site = await startSite({ '/': html('Sprocket manual', 'Oil every sprocket twice a year, with thin oil.') })
    dashboard = await openDashboard(program ?? '')
    page = dashboard.page
    await claim(dashboard)
    slug = await makeServer(dashboard, 'Sprocket manual', `${site.url}/`)
  })
  afterAll(() => disposeAll(dashboard, site))

  test('shows the navigation and the nearest names at an unknown address', async () => {
    const answer = await open('/serverz')
    expect(answer?.status()).toBe(404)
    await page.getByRole('heading', { name: 'There is no page at this address', level: 1 }).waitFor()
    await nav().waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Servers', exact: true }).waitFor()
    await inspect(page, 'unknown-address')
    await open(`/servers/${slug}/toolz`)
    await page.getByRole('main').getByRole('link', { name: 'Sprocket manual: Tools' }).waitFor()
    // An address of this form is no screen on its own, and the browser has not loaded it anew.
    await page.getByRole('main').getByRole('link', { name: 'Sprocket manual: Tools' }).click()
    await page.getByRole('heading', { name: 'Sprocket manual', level: 1 }).waitFor()
  })

  test('answers programs and the interface with JSON at an unknown address', async () => {
    const { url } = dashboard.docent
    const html_ = { accept: 'text/html' }
    for (const [path, headers] of [
      ['/serverz', {}],
      ['/api/serverz', html_],
    ] as const) {
      const answer = await fetch(url + path, { headers })
      expect(answer.status, path).toBe(404)
      expect(await answer.json(), path).toMatchObject({ error: expect.any(String) })
    }
  })

  testLong('names a server that does not exist, and the nearest one', async () => {
    await open('/servers/sprocket-manul/tools')
    await page.getByRole('heading', { name: 'There is no server “sprocket-manul”', level: 1 }).waitFor()
    await nav().waitFor()
    await inspect(page, 'no-server')
    await page.getByRole('main').getByRole('link', { name: 'Sprocket manual', exact: true }).click()
    await page.getByRole('heading', { name: 'Sprocket manual', level: 1 }).waitFor()
  })

  test('keeps the navigation and the tabs when the service answers with an error', async () => {
    const fail = (paths: string) =>
      page.route(paths, (route) => route.fulfill({ status: 500, json: { error: 'internal', message: 'Broken.' } }))
    const own = `**/api/mcp/${slug}`
    await fail(own)
    await open(`/servers/${slug}/settings`)
    await page.getByRole('alert').getByText('Broken.').waitFor()
    await nav().waitFor()
    await page.getByRole('link', { name: 'Playground' }).waitFor()
    await inspect(page, 'server-error')
    await page.unroute(own)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Sprocket manual', level: 1 }).waitFor()

    await fail('**/api/sessions')
    await open('/servers')
    await page.getByRole('alert').getByText('Broken.').waitFor()
    await nav().waitFor()
    await inspect(page, 'session-error')
    await page.unroute('**/api/sessions')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Servers', level: 1 }).waitFor()
  })

  test('shows the frame and a skeleton while the service is slow', async () => {
    for (const path of [`/servers/${slug}`, ...(inject('isLong') ? ['/servers', '/plan', '/instance'] : [])]) {
      const release = await holdAnswers('**/api/**')
      await open(path)
      await nav().waitFor()
      await page.locator('.waiting').first().waitFor()
      await page.getByRole('heading', { level: 1 }).waitFor()
      if (path === `/servers/${slug}`) await inspect(page, 'slow')
      await release()
      await page.locator('.waiting').first().waitFor({ state: 'detached' })
    }
  })

  testLong('shows the next screen at once while the service is slow', async () => {
    await open(`/servers/${slug}`)
    const release = await holdAnswers('**/api/**')
    await page.getByRole('link', { name: 'Requests' }).click()
    await page.getByRole('link', { name: 'Requests' }).and(page.locator('[aria-current]')).waitFor()
    await page.locator('.waiting').first().waitFor()
    await release()
    await page.getByText('There is no request yet').first().waitFor()
  })

  test('says that it is offline, and recovers by itself', async () => {
    await open(`/servers/${slug}/requests`)
    const live = page.locator('.log .hd')
    await live.getByText('Live', { exact: true }).waitFor()
    await dashboard.context.setOffline(true)
    await page.getByRole('status').getByText('You are offline').waitFor()
    await live.getByText('Not live').waitFor()
    await inspect(page, 'offline')
    await page.getByRole('link', { name: 'Settings' }).click()
    await dashboard.context.setOffline(false)
    await page.getByText('You are offline').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Delete the server' }).waitFor()
  })

  test('says that the service has stopped, and recovers by itself', async () => {
    await open(`/servers/${slug}/requests`)
    await page.locator('.log .hd').getByText('Live', { exact: true }).waitFor()
    const start = await dashboard.stop()
    await page.getByRole('status').getByText('The service does not answer').waitFor()
    await page.locator('.log .hd').getByText('Not live').waitFor()
    await page.getByRole('link', { name: 'Rules' }).click()
    await page.locator('.waiting, [role=alert]').first().waitFor()
    await inspect(page, 'service-stopped')
    await start()
    await page.getByText('The service does not answer').first().waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'New rule' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('keeps typed text when the session ends, and goes on after the sign-in', async () => {
    await open(`/servers/${slug}/settings`)
    await page.getByLabel('Description').fill('All about sprockets.')
    await dashboard.context.clearCookies()
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.getByText('Your session has ended').waitFor()
    await inspect(page, 'expired')
    await page.keyboard.press('Escape')
    await dialog.getByLabel('Email address').fill(EMAIL)
    await dialog.getByLabel('Password').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.getByLabel('Description').inputValue()).toBe('All about sprockets.')
    // What was asked for is done now.
    await expect
      .poll(() => readJson<{ description: string }>(page, `/api/mcp/${slug}`))
      .toMatchObject({ description: 'All about sprockets.' })
  })

  testLong('waits for the sign-in on a screen that lists sessions', async () => {
    await open(`/servers/${slug}`)
    await dashboard.context.clearCookies()
    // The dialog may be there already, for what the screen asks in the background.
    await page.locator('a.who').dispatchEvent('click')
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.getByText('Your session has ended').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await dialog.getByLabel('Email address').fill(EMAIL)
    await dialog.getByLabel('Password').fill('not the password')
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Password').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('now, here').waitFor()
  })

  test('returns to the address that was asked for without a session', async () => {
    await dashboard.context.clearCookies()
    await open(`/servers/${slug}/settings?x=1#sources`)
    await page.getByLabel('Email address').fill(EMAIL)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Sprocket manual', level: 1 }).waitFor()
    expect(page.url()).toBe(`${dashboard.docent.url}/servers/${slug}/settings?x=1#sources`)
  })

  test('logs nothing to the browser console', () => {
    // The browser reports each failed request itself.
    const own = dashboard.complaints.filter((text) => !/Failed to load resource|net::ERR/.test(text))
    expect(own).toEqual([])
  })
})
