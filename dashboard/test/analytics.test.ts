import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installedBrowser } from '../../server/test/support/lib/installed-browser.ts'
import { disposeAll } from '../../server/test/support/lib/keep-open.ts'
import { page as html, type Site, startSite } from '../../server/test/support/sites/site.ts'
import { inspect, readJson } from './inspect.ts'
import { type Dashboard, claim, makeServer, openDashboard, testLong } from './open-dashboard.ts'
import { recordCalls } from './record-calls.ts'

const program = installedBrowser()

const PAGES = {
  '/': html('Sprocket manual', 'A sprocket drives the chain of a machine.', ['/oil', '/teeth']),
  '/oil': html('Oiling', 'Oil every sprocket twice a year, with three drops of thin oil on each tooth.'),
  '/teeth': html('Teeth', 'A sprocket has between nine and fifty teeth. Count the teeth before you order a chain.'),
}

/** Columns without ink at the right end of the lower axis: a label that is cut off reaches the edge. */
const FREE_AT_THE_RIGHT = `(() => {
  const canvas = document.querySelector('.plot canvas')
  const tall = 30 * devicePixelRatio
  const { data } = canvas.getContext('2d').getImageData(0, canvas.height - tall, canvas.width, tall)
  let last = 0
  for (let at = 3; at < data.length; at += 4) if (data[at] > 0) last = Math.max(last, ((at - 3) / 4) % canvas.width)
  return canvas.width - 1 - last
})()`

describe.skipIf(program === null)('analytics in the dashboard', () => {
  let dashboard: Dashboard
  let site: Site
  let page: Page
  let slug: string
  const open = (path: string) => page.goto(dashboard.docent.url + path)
  const plotted = () => page.locator('.plot canvas').waitFor()
  const figure = (term: string) => page.locator('.figs div', { hasText: term }).locator('.v').innerText()

  beforeAll(async () => {
    site = await startSite(PAGES)
    dashboard = await openDashboard(program ?? '')
    page = dashboard.page
    await claim(dashboard)
    slug = await makeServer(dashboard, 'Sprocket manual', `${site.url}/`)
  })
  afterAll(() => disposeAll(dashboard, site))

  test('shows the first steps while there are no requests', async () => {
    await open(`/servers/${slug}/requests`)
    await page.getByText('There is no request in this period. Connect a client').waitFor()
    await inspect(page, 'analytics-empty')
  })

  testLong('scrolls the current tab into view on a narrow screen', async () => {
    await page.setViewportSize({ width: 390, height: 900 })
    await open(`/servers/${slug}/settings`)
    const tab = page.getByRole('navigation', { name: 'Server' }).getByRole('link', { name: 'Settings' })
    await tab.waitFor()
    await expect.poll(() => tab.evaluate((link) => link.getBoundingClientRect().right)).toBeLessThanOrEqual(390)
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  test('draws the requests of a month by outcome, with the numbers as a table', async () => {
    const server = await readJson<{ id: string; sources: { id: string }[] }>(page, `/api/mcp/${slug}`)
    await dashboard.docent.inStore((store) =>
      recordCalls(store, { id: server.id, sourceId: server.sources[0]?.id ?? '', url: site.url }),
    )
    await open(`/servers/${slug}/requests`)
    await plotted()
    const { total } = await readJson<{ total: { calls: number } }>(page, `/api/analytics/${slug}/series?range=30d`)
    await expect.poll(() => figure('Requests')).toBe(total.calls.toLocaleString('en-GB'))
    await page.getByText(/^\+\d+ on the time before$/).waitFor()
    await inspect(page, 'analytics')
    await page.getByText('Show the numbers').click()
    const rows = await page.locator('.chart tbody tr').evaluateAll((all) => all.map((row) => row.textContent ?? ''))
    // Today, and thirty days before it.
    expect(rows.length).toBe(31)
    // The site was indexed today.
    expect(rows[0]).toContain('indexed')
    const { unanswered } = await readJson<{ unanswered: number }>(page, `/api/analytics/${slug}/quality?range=30d`)
    expect(await figure('No good answer')).toBe(unanswered.toLocaleString('en-GB'))
    const columns = await page
      .locator('.chart tbody tr')
      .evaluateAll((all) => all.map((row) => [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent))))
    const sum = (column: number) => columns.reduce((all, row) => all + (row[column] ?? 0), 0)
    // Answered, no answer, refused and failed: no call was only related.
    expect(sum(1)).toBe(unanswered)
    expect(sum(0) + sum(1) + sum(2) + sum(3)).toBe(total.calls)
  })

  testLong('marks new rules on the chart, in words that a reader hears', async () => {
    const { id } = await readJson<{ id: string }>(page, `/api/mcp/${slug}`)
    const rule = { serverId: id, naturalLanguage: 'Prefer pages under /oil when asked about oiling.' }
    await page.evaluate(
      `fetch('/api/retrieval-rules', { method: 'POST', headers: { 'content-type': 'application/json' }, body: ${JSON.stringify(JSON.stringify(rule))} })`,
    )
    await open(`/servers/${slug}/requests`)
    await plotted()
    const chart = page.getByRole('slider')
    await chart.focus()
    await page.keyboard.press('End')
    await page.locator('.tip', { hasText: /\. Rule added, \S+ indexed$/ }).waitFor()
    await inspect(page, 'analytics-marks')
    await page.keyboard.press('Home')
    expect(await chart.getAttribute('aria-valuetext')).not.toContain('Rule added')
  })

  testLong('shows the last date of the chart in full on a narrow screen', async () => {
    await page.setViewportSize({ width: 390, height: 900 })
    await plotted()
    const free = await page.evaluate<number>(FREE_AT_THE_RIGHT)
    expect(free).toBeGreaterThan(0)
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  test('reads the values of a day by keyboard and by pointer', async () => {
    const chart = page.getByRole('slider')
    await chart.focus()
    await page.keyboard.press('End')
    await page.locator('.tip', { hasText: /answered, \d+ no answer, .*\d+ failed/ }).waitFor()
    const last = await chart.getAttribute('aria-valuetext')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => chart.getAttribute('aria-valuetext')).not.toBe(last)
    await page.keyboard.press('Home')
    await expect.poll(() => chart.getAttribute('aria-valuenow')).toBe('0')
    const box = await page.locator('.u-over').boundingBox()
    await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + 40)
    await expect.poll(async () => Number(await chart.getAttribute('aria-valuenow'))).toBeGreaterThan(10)
  })

  testLong('draws charts of clients, tools and durations, and keeps the choice in the address', async () => {
    await page.getByRole('button', { name: 'Clients', exact: true }).click()
    await page.locator('.lg', { hasText: 'goose' }).waitFor()
    expect(page.url()).toContain('show=client')
    await inspect(page, 'analytics-clients')
    await page.getByRole('button', { name: 'Durations' }).click()
    await page.locator('.lg', { hasText: 'slowest 5% over' }).waitFor()
    await plotted()
    await inspect(page, 'analytics-durations')
    await page.getByLabel('Period').selectOption('7d')
    await page.getByRole('button', { name: 'Hours' }).click()
    await page.getByText('Choose one client or one tool').waitFor()
    await page.getByLabel('client', { exact: true }).selectOption('cursor')
    await plotted()
    expect(page.url()).toContain('client=cursor')
    expect(page.url()).toContain('interval=hour')
  })

  testLong('limits the chart to some days, and shows the hours of one day', async () => {
    const periods = async () => 1 + Number(await page.locator('.over-time .plot').getAttribute('aria-valuemax'))
    const daysBack = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
    await open(`/servers/${slug}/requests?range=30d`)
    await plotted()
    await page.getByLabel('From').fill(daysBack(2))
    await page.getByLabel('to', { exact: true }).fill(daysBack(1))
    await expect.poll(periods).toBe(2)
    await page.getByLabel('From').fill(daysBack(1))
    await page.getByText('Requests an hour').waitFor()
    await expect.poll(periods).toBe(24)
    expect(page.url()).toContain(`from=${daysBack(1)}`)
    await plotted()
    await inspect(page, 'analytics-hours-of-a-day')
    // Hours have the time of the browser. In India it is half an hour off.
    const storageState = await dashboard.context.storageState()
    const india = await page.context().browser()?.newContext({ timezoneId: 'Asia/Kolkata', storageState })
    const theirs = await india?.newPage()
    await theirs?.goto(page.url())
    expect(await theirs?.getByRole('slider').getAttribute('aria-valuetext')).toMatch(/:30/)
    expect(await page.getByRole('slider').getAttribute('aria-valuetext')).toMatch(/:00/)
    await india?.close()
    await page.getByRole('button', { name: 'All days' }).click()
    await expect.poll(periods).toBe(31)
    await page.getByLabel('From').fill('2020-01-01')
    await page.getByText('These days are not in the period').waitFor()
  })

  test('filters figures, chart and log together, and exports what is filtered', async () => {
    await open(`/servers/${slug}/requests?range=90d`)
    await page.getByRole('link', { name: 'cursor' }).click()
    const path = `/api/analytics/${slug}/series?range=90d&client=cursor`
    const { total } = await readJson<{ total: { calls: number } }>(page, path)
    await expect.poll(() => figure('Requests')).toBe(String(total.calls))
    await expect.poll(() => page.locator('.lt .cl2').allInnerTexts()).toContain('cursor')
    expect(new Set(await page.locator('.lt .cl2').allInnerTexts())).toEqual(new Set(['cursor']))
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download CSV' }).click()
    const chunks = await Array.fromAsync(await (await download).createReadStream())
    const lines = Buffer.concat(chunks).toString().trim().split(/\r?\n/)
    expect(lines.length).toBe(total.calls + 1)
    expect(lines.slice(1).every((line) => line.includes('cursor'))).toBe(true)
    await page.getByRole('button', { name: 'Without filters' }).click()
    await expect.poll(() => page.url()).not.toContain('client=')
  })

  test('groups unanswered questions and links to the trace of each', async () => {
    await page.getByText('2 wordings').click()
    await page.locator('.gap details').getByText('sprocket rusting in sea water').waitFor()
    await page
      .getByRole('link', { name: /^See why/ })
      .first()
      .click()
    await page.getByText('What it read').waitFor()
    expect(page.url()).toContain('call=call_')
    // The row is in view and has the focus.
    const focused = `(() => {
      const { top, bottom } = document.activeElement.getBoundingClientRect()
      return { isOpen: document.activeElement.matches('[aria-expanded=true], .alone'), isInView: bottom > 0 && top < innerHeight }
    })()`
    await expect.poll(() => page.evaluate(focused)).toEqual({ isOpen: true, isInView: true })
    await inspect(page, 'analytics-call')
  })

  testLong('loads the chart library on the analytics screen only', async () => {
    await open('/servers')
    await page.getByRole('heading', { name: 'Servers' }).waitFor()
    const names = () => page.evaluate<string[]>("performance.getEntriesByType('resource').map(({ name }) => name)")
    expect((await names()).filter((name) => name.includes('/plot-'))).toEqual([])
    await open(`/servers/${slug}/requests`)
    await plotted()
    const sizes = await page.evaluate<{ name: string; encodedBodySize: number }[]>(
      "performance.getEntriesByType('resource').map(({ name, encodedBodySize }) => ({ name, encodedBodySize }))",
    )
    const plot = sizes.filter(({ name }) => /\/plot-.*\.js$/.test(name))
    expect(plot.length).toBe(1)
    expect(plot[0]?.encodedBodySize).toBeLessThan(30 * 1024)
  })

  test('logs nothing to the browser console and requests nothing from other hosts', () => {
    expect(dashboard.complaints).toEqual([])
  })
})
