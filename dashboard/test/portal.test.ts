import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertFailedJob } from '../../server/test/support/database/insert-failed-job.ts'
import { installedBrowser } from '../../server/test/support/lib/installed-browser.ts'
import { disposeAll } from '../../server/test/support/lib/keep-open.ts'
import { runProgram } from '../../server/test/support/lib/run-program.ts'
import { page as html, type Site, startSite } from '../../server/test/support/sites/site.ts'
import { createAccount } from '../../server/src/auth/accounts.ts'
import { countClicks } from './count-clicks.ts'
import { inspect, readJson, slugOf } from './inspect.ts'
import { type Dashboard, claim, makeServer, openDashboard, testLong } from './open-dashboard.ts'

const program = installedBrowser()

const PAGES = {
  '/': html('Sprocket manual', 'A sprocket drives the chain of a machine.', ['/oil']),
  '/oil': html('Oiling', 'Oil every sprocket twice a year, with three drops of thin oil on each tooth.'),
}

describe.skipIf(program === null)('portal, widgets and instance', () => {
  let dashboard: Dashboard
  let site: Site
  let page: Page
  const open = (path: string) => page.goto(dashboard.docent.url + path)
  const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()

  beforeAll(async () => {
    site = await startSite(PAGES)
    dashboard = await openDashboard(program ?? '')
    page = dashboard.page
    await claim(dashboard)
    await open(`/servers/${await makeServer(dashboard, 'Sprocket manual', `${site.url}/`)}`)
    await dashboard.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  })
  afterAll(() => disposeAll(dashboard, site))

  test('embeds a widget with at most four clicks and one paste', async () => {
    const clicks = await countClicks(page)
    await page.getByRole('link', { name: 'Widget', exact: true }).click()
    await page.getByLabel('Domain').fill('https://localhost/docs')
    await expect.poll(() => page.getByLabel('Domain').inputValue()).toBe('localhost')
    await page.getByRole('button', { name: 'Save the widget' }).click()
    await page.getByRole('button', { name: 'Copy the code of the widget' }).click()
    const code = await page.evaluate<string>('navigator.clipboard.readText()')
    expect(await clicks()).toBeLessThanOrEqual(4)
    expect(code).toMatch(
      /^<script async src="http:\/\/127\.0\.0\.1:\d+\/embed\/docent\.js" data-configuration="cfg_\w+"/,
    )

    // The page of a third party, with exactly the pasted code.
    await using other = await startSite({ '/': `<!doctype html><title>Shop</title><body><p>Shop</p>${code}</body>` })
    const shop = await dashboard.context.newPage()
    await shop.goto(other.url.replace('127.0.0.1', 'localhost'))
    await shop.getByRole('button', { name: 'Ask the docs' }).click()
    await shop.getByLabel('Ask the docs').locator('textarea').fill('How often do I oil a sprocket?')
    await shop.keyboard.press('Enter')
    await shop.getByText('twice a year').first().waitFor()
    const saved = shop.waitForResponse((answer) => answer.url().endsWith('/api/embed/feedback') && answer.ok())
    await shop.getByRole('button', { name: 'Not helpful', exact: true }).click()
    await saved
    await shop.close()
    dashboard.complaints.length = 0
  })

  test('shows what a visitor of a widget said about an answer', async () => {
    const back = page.url()
    await page.getByRole('link', { name: /^Requests/ }).click()
    await page.getByRole('row', { name: /oil a sprocket.*answered.*not helpful/ }).waitFor()
    // Named by its domain, in the list, in the log and in the filter.
    await page.getByRole('link', { name: 'widget on localhost' }).waitFor()
    await page.getByRole('cell', { name: 'widget on localhost' }).waitFor()
    await page.getByLabel('client', { exact: true }).selectOption('widget on localhost')
    await page.getByRole('cell', { name: 'widget on localhost' }).waitFor()
    const figure = page.locator('.figs div', { hasText: 'Helpful to visitors' })
    await figure.getByText('0%').waitFor()
    await figure.getByText('0 of 1 said so').waitFor()
    await inspect(page, 'requests-feedback')
    await page.goto(back)
  })

  test('shows each setting of a widget in the widget itself', async () => {
    const widget = page.locator('.stage docent-ask')
    const style = (name: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('.stage docent-ask')).getPropertyValue('${name}')`)
    await page.getByLabel('Buttons on light pages', { exact: true }).fill('#a3005c')
    await expect.poll(() => style('--docent-primary-light')).toBe('#a3005c')
    await page.getByLabel('Text on light pages', { exact: true }).fill('#dddddd')
    await page.getByText('On light pages, the text has a contrast of 1.4 : 1').waitFor()
    await inspect(page, 'widget-contrast')
    await page.getByLabel('Text on light pages', { exact: true }).fill('')
    await page.getByLabel('Title of the tab search_docs').fill('Look up')
    await page.getByRole('button', { name: 'Box in the page' }).click()
    await widget.getByRole('button', { name: 'Look up' }).waitFor()
    await page.getByRole('button', { name: 'Tabs beside' }).click()
    await widget.locator('.panel.vertical').waitFor()
    await page.getByRole('combobox', { name: 'Font' }).fill('Georgia')
    await expect.poll(() => style('font-family')).toContain('Georgia')
    expect(page.url()).toContain('mode=inline')
    expect(await page.locator('.snippet').innerText()).toContain('<docent-ask configuration="cfg_')
    await page.getByRole('button', { name: 'Save the widget' }).click()
    await page.getByText('Saved. Pages show it').waitFor()
    const [saved] = await readJson<{ colors: string; tools: string; fontFamily: string }[]>(page, '/api/configurations')
    expect(JSON.parse(saved?.colors ?? '')).toEqual({ primary: '#a3005c' })
    expect(JSON.parse(saved?.tools ?? '')).toContainEqual({ name: 'search_docs', enabled: true, title: 'Look up' })
    expect(saved?.fontFamily).toBe('Georgia')
    await inspect(page, 'widget')
  })

  test('answers in the preview under the content security policy of the dashboard', async () => {
    const widget = page.locator('.stage docent-ask')
    await widget.locator('textarea').fill('How often do I oil a sprocket?')
    await page.keyboard.press('Enter')
    await widget.getByText('twice a year').first().waitFor()
    await inspect(page, 'widget-answer')
  })

  testLong('answers before the widget is saved, from the chosen sources, and counts nothing', async () => {
    const slug = await slugOf(page)
    const counted = () => readJson<{ totalCalls: number }>(page, `/api/analytics/${slug}/summary`)
    const { totalCalls } = await counted()
    await open('/widgets?configuration=new&mode=inline')
    const widget = page.locator('.stage docent-ask')
    await widget.locator('textarea').fill('How often do I oil a sprocket?')
    await page.keyboard.press('Enter')
    await widget.getByText('twice a year').first().waitFor()
    // Feedback would belong to no call.
    expect(await widget.getByRole('button', { name: 'Helpful', exact: true }).count()).toBe(0)
    expect((await counted()).totalCalls).toBe(totalCalls)
    expect(await readJson<unknown[]>(page, '/api/configurations')).toHaveLength(1)
    await inspect(page, 'widget-trial')
  })

  testLong('shows the reason for a refused widget beside its button', async () => {
    await open('/widgets?configuration=new')
    await page.getByLabel('Domain').fill('no domain')
    await page.getByRole('button', { name: 'Save the widget' }).click()
    await page.getByRole('alert').getByText('must be a domain such as docs.example.com').waitFor()
    await page.getByRole('link', { name: 'localhost' }).waitFor()
    await inspect(page, 'widgets')
  })

  test('deletes a widget after a confirmation', async () => {
    await open('/widgets?configuration=new')
    await page.getByLabel('Domain').fill('old.example.com')
    await page.getByRole('button', { name: 'Save the widget' }).click()
    await page.getByRole('button', { name: 'Delete the widget' }).click()
    await page.locator('dialog').getByRole('button', { name: 'Delete the widget' }).click()
    await page.getByText('old.example.com').first().waitFor({ state: 'detached' })
    const left = await readJson<{ domain: string }[]>(page, '/api/configurations')
    expect(left.map(({ domain }) => domain)).toEqual(['localhost'])
  })

  test('shows the client secret on request, and replaces it after a confirmation', async () => {
    await open('/developers')
    await heading('Developer portal')
    await page.getByText('widget').first().waitFor()
    const { clientSecret } = await readJson<{ clientSecret: string }>(page, '/api/credentials')
    const shown = () => page.locator('.facts').innerText()
    expect(await shown()).not.toContain(clientSecret)
    await page.getByRole('button', { name: 'Show the client secret' }).click()
    expect(await shown()).toContain(clientSecret)
    await page.getByRole('button', { name: 'Replace the secret' }).click()
    await inspect(page, 'replace-secret')
    await page.locator('dialog').getByRole('button', { name: 'Replace the secret' }).click()
    await page.getByText('The secret was replaced').waitFor()
    expect(await shown()).not.toContain(clientSecret)
    await page.getByRole('button', { name: 'Node' }).click()
    await page.getByText('process.env.DOCENT_CLIENT_SECRET').waitFor()
    expect(page.url()).toContain('language=node')
    await page.getByRole('cell', { name: 'Sprocket manual' }).waitFor()
    await inspect(page, 'developers')
  })

  test('mints an attribution token with the sample code of the portal', async () => {
    const { clientId, clientSecret } = await readJson<{ clientId: string; clientSecret: string }>(
      page,
      '/api/credentials',
    )
    const code = await page.locator('.snippet pre').first().innerText()
    expect(code).toContain(clientId)
    const env = { DOCENT_CLIENT_SECRET: clientSecret }
    const { stdout, stderr } = await runProgram('--input-type=module', ['--eval', `${code}\nconsole.log(token)`], {
      env,
    })
    expect(stderr).toBe('')
    expect(stdout).toMatch(/^dav1_/)
  })

  testLong('dismisses and repeats failed jobs, and changes a plan on the screen of the operator', async () => {
    const { docent } = dashboard
    const { sources, id } = await readJson<{ id: string; sources: { id: string }[] }>(
      page,
      `/api/mcp/${await slugOf(page)}`,
    )
    const about = { serverId: id, sourceId: sources[0]?.id ?? '', at: Date.now() - 60_000 }
    await docent.inStore(async (store) => {
      await insertFailedJob(store.write, about)
      for (const name of ['ann', 'ben']) {
        await createAccount(store, { email: `${name}@example.org`, password: null, plan: 'free' })
      }
    })
    await open('/instance')
    await page.getByText('The site answered 503.').waitFor()
    await page.getByText('There is no backup yet.').waitFor()
    await page.getByLabel('Plan of ann@example.org').waitFor()
    await inspect(page, 'instance')
    await page.getByRole('button', { name: /^Dismiss: Index/ }).click()
    await page.getByText('No job has failed.').waitFor()
    await docent.inStore(({ write }) => insertFailedJob(write, about))
    await open('/instance')
    await page.getByRole('button', { name: /^Repeat: Index/ }).click()
    await page.getByText('No job has failed.').waitFor()
    await page.getByLabel('Find an account by its email address').fill('ann')
    await expect.poll(() => page.locator('select.plan').count()).toBe(1)
    const saved = page.waitForResponse((response) => response.url().endsWith('/plan'))
    await page.getByLabel('Plan of ann@example.org').selectOption('core')
    expect((await saved).status()).toBe(200)
    const { accounts } = await readJson<{ accounts: { plan: string }[] }>(page, '/api/instance/accounts?email=ann')
    expect(accounts.map(({ plan }) => plan)).toEqual(['core'])
    await expect.poll(() => page.url()).toContain('accounts-search=ann')
  })

  testLong('creates a backup from the instance screen and shows its file', async () => {
    await page.getByRole('button', { name: 'Back up now' }).click()
    await page.getByText('Complete', { exact: true }).waitFor()
    await page.getByRole('rowheader', { name: /^docent-\w+\.tar$/ }).waitFor()
    await inspect(page, 'instance-backup')
  })

  test('logs nothing to the browser console and requests nothing from other hosts', () => {
    expect(dashboard.complaints).toEqual([])
  })
})
