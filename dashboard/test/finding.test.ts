import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installedBrowser } from '../../server/test/support/lib/installed-browser.ts'
import { disposeAll } from '../../server/test/support/lib/keep-open.ts'
import { slugOfHeading } from '../../scripts/site/render-document.ts'
import { SCREENS } from '../src/lib/screen-list.ts'
import { addServers } from './fill-account.ts'
import { inspect } from './inspect.ts'
import { type Dashboard, claim, openDashboard, testLong } from './open-dashboard.ts'

const program = installedBrowser()
const MENU = ['Servers', 'Widgets', 'Keys', 'Team', 'Analytics', 'Plan', 'Instance', 'Documentation']

test('every screen has a section in the documents', () => {
  for (const { path, help } of SCREENS) {
    const [name = '', anchor] = help.split('#')
    const markdown = readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8')
    const anchors = [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, text = '']) => slugOfHeading(text))
    expect({ path, hasAnchor: anchor === undefined || anchors.includes(anchor) }).toEqual({ path, hasAnchor: true })
  }
})

describe.skipIf(program === null)('finding one’s way in the dashboard', () => {
  let dashboard: Dashboard
  let page: Page
  let slug: string
  const open = (path: string) => page.goto(dashboard.docent.url + path)
  const menu = () => page.getByRole('navigation', { name: 'Main' })

  beforeAll(async () => {
    dashboard = await openDashboard(program ?? '')
    page = dashboard.page
    await claim(dashboard)
    slug = await dashboard.docent.inStore((store) => addServers(store, 3))
  })
  afterAll(() => disposeAll(dashboard))

  test('leads from a labelled menu to each part of the product', async () => {
    await open('/servers')
    await page.getByRole('heading', { name: 'Servers', level: 1 }).waitFor()
    expect(await menu().getByRole('link').allInnerTexts()).toEqual(MENU)
    expect(await page.getByRole('button', { name: 'Menu' }).isVisible()).toBe(false)
    expect(await menu().getByRole('link', { name: 'Documentation' }).getAttribute('href')).toBe('/docs')
    for (const name of MENU.slice(0, -1)) {
      await menu().getByRole('link', { name }).click()
      await expect.poll(() => menu().locator('[aria-current=page]').innerText()).toBe(name)
      await page.getByRole('heading', { level: 1 }).waitFor()
    }
    await open(`/servers/${slug}/settings`)
    await expect.poll(() => menu().locator('[aria-current=true]').innerText()).toBe('Servers')
  })

  testLong('opens the menu on a phone by keyboard', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await open(`/servers/${slug}`)
    const button = page.getByRole('button', { name: 'Menu' })
    await button.focus()
    expect(await menu().isVisible()).toBe(false)
    await page.keyboard.press('Enter')
    await menu().getByRole('link', { name: 'Plan' }).waitFor()
    await inspect(page, 'menu')
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await button.getAttribute('aria-expanded')).toBe('true')
    await menu().getByRole('link', { name: 'Plan' }).focus()
    await page.keyboard.press('Escape')
    await expect.poll(() => menu().isVisible()).toBe(false)
    await expect.poll(() => page.evaluate<string>('document.activeElement.textContent')).toBe('Menu')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Widgets', level: 1 }).waitFor()
    expect(await menu().isVisible()).toBe(false)
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  test('opens the documents of this version, with links between them, a search and a way back', async () => {
    await open(`/servers/${slug}/pages`)
    await page.getByRole('link', { name: /^Help with this screen/ }).click()
    const heading = page.getByRole('heading', { name: 'Pages', exact: true })
    await heading.waitFor()
    expect(page.url()).toBe(`${dashboard.docent.url}/docs/dashboard#pages`)
    await expect.poll(() => heading.evaluate((one) => one.getBoundingClientRect().top)).toBeLessThan(200)
    await inspect(page, 'document')
    await page.getByLabel('Search the documents').fill('reverse proxy')
    await page.getByRole('link', { name: 'Reverse proxy and TLS' }).click()
    await page.getByRole('heading', { name: 'Deployment', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Settings', exact: true }).first().click()
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Dashboard', exact: true }).first().click()
    await page.getByRole('heading', { name: 'Servers', level: 1 }).waitFor()
    await open('/docs/nothing')
    await page.getByRole('heading', { level: 1, name: 'There is no page at this address' }).waitFor()
  })

  testLong('shows the documents without a session', async () => {
    const visitor = await (await dashboard.context.browser()?.newContext())?.newPage()
    if (!visitor) throw new Error('There is no browser')
    await visitor.goto(`${dashboard.docent.url}/docs`)
    expect(visitor.url()).toBe(`${dashboard.docent.url}/docs/`)
    await visitor.getByRole('link', { name: 'Private servers' }).first().click()
    await visitor.getByRole('heading', { name: 'Private servers', level: 1 }).waitFor()
    await visitor.context().close()
  })

  testLong('loads the API reference in at most 80 kB', async () => {
    await open('/reference')
    await page.getByLabel('Find an operation').fill('post create server')
    await page.locator('summary', { hasText: '/api/mcp/create' }).waitFor()
    const sizes = await page.evaluate<{ name: string; encodedBodySize: number }[]>(
      "performance.getEntriesByType('resource').map(({ name, encodedBodySize }) => ({ name, encodedBodySize }))",
    )
    const description = sizes.find(({ name }) => name.endsWith('/openapi.json'))
    expect(description?.encodedBodySize).toBeGreaterThan(10_000)
    expect(description?.encodedBodySize).toBeLessThan(80_000)
  })

  test('logs nothing to the browser console and requests nothing from other hosts', () => {
    expect(dashboard.complaints).toEqual([])
  })
})
