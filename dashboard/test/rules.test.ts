import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installedBrowser } from '../../server/test/support/lib/installed-browser.ts'
import { disposeAll } from '../../server/test/support/lib/keep-open.ts'
import { page as html, type Site, startSite } from '../../server/test/support/sites/site.ts'
import { inspect } from './inspect.ts'
import { type Dashboard, claim, makeServer, openDashboard, testLong } from './open-dashboard.ts'

const program = installedBrowser()

/** The old manual fits the words of the question better than the current one. */
const PAGES = {
  '/': html('Sprocket manual', 'A sprocket drives the chain of a machine.', [
    '/legacy/oiling',
    '/care/oiling',
    '/teeth',
  ]),
  '/legacy/oiling': html(
    'How often to oil a sprocket',
    'Oil a sprocket every week. You often oil each sprocket by hand.',
  ),
  '/care/oiling': html('Care', 'Oil a sprocket twice a year, with three drops of thin oil on each tooth.'),
  '/teeth': html('Teeth', 'A sprocket has between nine and fifty teeth. Count the teeth before you order a chain.'),
}
const QUESTION = 'How often do I oil a sprocket?'

describe.skipIf(program === null)('rules in the dashboard', () => {
  let dashboard: Dashboard
  let site: Site
  let page: Page
  let slug: string
  const open = (path: string) => page.goto(dashboard.docent.url + path)

  beforeAll(async () => {
    site = await startSite(PAGES)
    dashboard = await openDashboard(program ?? '')
    page = dashboard.page
    await claim(dashboard)
    slug = await makeServer(dashboard, 'Sprockets', `${site.url}/`)
    await dashboard.docent.callTool(slug, 'ask_question', { question: QUESTION })
    await dashboard.docent.callTool(slug, 'search_docs', { query: 'number of teeth' })
  })
  afterAll(() => disposeAll(dashboard, site))

  test('fixes a bad answer with a rule in four clicks', async () => {
    await open(`/servers/${slug}/requests`)
    const request = page.getByRole('button', { name: QUESTION })
    await request.waitFor()
    await page.evaluate("window.clicks = 0; addEventListener('click', () => window.clicks++, true)")

    await request.click()
    await page.getByRole('heading', { name: 'What it read' }).waitFor()
    await inspect(page, 'trace')
    await page.getByRole('button', { name: 'Prefer this page: Care' }).click()
    // What was understood and what it changes, without another click.
    await page.locator('.effects', { hasText: 'Ranks pages under /care/oiling' }).waitFor()
    await page.locator('.ba', { hasText: 'was 2' }).waitFor()
    await inspect(page, 'mend')
    await page.getByRole('button', { name: 'Save the rule' }).click()
    await page.getByRole('button', { name: 'Ask again' }).click()

    const [before, after] = [page.locator('.answers > div').first(), page.locator('.answers > div').last()]
    await after.locator('.ans', { hasText: 'twice a year' }).waitFor()
    expect(await before.locator('.ans').innerText()).toContain('every week')
    expect(await page.evaluate('window.clicks')).toBe(4)
    // The tab counts the new rule.
    await page.getByRole('link', { name: 'Rules 1' }).waitFor()
    await inspect(page, 'mended')

    const answer = await dashboard.docent.callTool(slug, 'ask_question', { question: QUESTION })
    expect(answer.result.content[0].text).toContain('twice a year')
  })

  testLong('shows an opened request at its address', async () => {
    const address = page.url()
    expect(address).toContain('call=call_')
    await page.goto(address)
    await page.getByRole('heading', { name: 'What it read' }).waitFor()
  })

  test('saves a rule written in plain words, after a preview of its effect', async () => {
    await open(`/servers/${slug}/rules`)
    await page.getByLabel('Rule', { exact: true }).fill('Leave out pages under /teeth, and never cite your sources.')
    await page.getByRole('button', { name: 'See what it does' }).click()
    await page.getByText('Leaves out pages under /teeth.').waitFor()
    await page.getByText('A rule cannot do this, so it was left out: “never cite your sources”.').waitFor()
    await page.locator('summary', { hasText: 'number of teeth' }).click()
    await page.locator('.ba', { hasText: 'goneAfter' }).last().waitFor()
    await inspect(page, 'rules-new')
    await page.getByRole('button', { name: 'Save the rule' }).click()
    await page.getByText('The rule is saved.').waitFor()
    expect(await page.getByLabel('Rule', { exact: true }).inputValue()).toBe('')
    await page.locator('.rules > li').nth(1).waitFor()
  })

  test('switches a rule off, moves it up and deletes it', async () => {
    const rule = page.locator('.rules > li', { hasText: 'Leave out pages under /teeth' })
    await rule.getByLabel('On').uncheck()
    await page.locator('.rules > .is-off', { hasText: 'Leave out' }).waitFor()
    await rule.getByLabel('Priority').fill('7')
    await rule.getByLabel('Priority').press('Enter')
    await page.locator('.rules > li').first().filter({ hasText: 'Leave out' }).waitFor()
    await inspect(page, 'rules')
    await rule.getByRole('button', { name: 'Delete' }).click()
    await page.locator('dialog').getByRole('button', { name: 'Delete' }).click()
    await rule.waitFor({ state: 'detached' })
    expect(await page.locator('.rules > li').count()).toBe(1)
  })

  testLong('explains why a sentence cannot become a rule', async () => {
    await page.getByLabel('Rule', { exact: true }).fill('Leave out pages under /nowhere.')
    await page.getByRole('button', { name: 'See what it does' }).click()
    await page.getByText(/no page called “\/nowhere/).waitFor()
    await page.getByLabel('Rule', { exact: true }).fill('Always answer without any citations.')
    await page.getByRole('button', { name: 'See what it does' }).click()
    await page.getByText('A rule cannot do this').waitFor()
    await inspect(page, 'rules-refused')
    expect(await page.locator('.rules > li').count()).toBe(1)
  })

  test('logs nothing to the browser console', () => {
    expect(dashboard.complaints).toEqual([])
  })
})
