import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installedBrowser } from '../../server/test/support/lib/installed-browser.ts'
import { disposeAll } from '../../server/test/support/lib/keep-open.ts'
import { inspect } from './inspect.ts'
import { type Dashboard, EMAIL, claim, openDashboard, testLong } from './open-dashboard.ts'

const program = installedBrowser()

describe.skipIf(program === null)('team in the dashboard', () => {
  let dashboard: Dashboard
  let page: Page
  beforeAll(async () => {
    dashboard = await openDashboard(program ?? '')
    page = dashboard.page
    await claim(dashboard)
  })
  afterAll(() => disposeAll(dashboard))

  test('invites a person, who joins by the link, and becomes an editor', async () => {
    await page.goto(`${dashboard.docent.url}/team`)
    await page.getByLabel('Email address of the person').fill('bob@example.test')
    await page.getByRole('button', { name: 'Make a link' }).click()
    const link = await page.locator('.secret code').textContent()
    await inspect(page, 'team')
    await page.getByRole('button', { name: 'I have it' }).click()
    const context = await page.context().browser()?.newContext()
    const theirs = await context?.newPage()
    if (!theirs) throw new Error('There is no second browser')
    await theirs.goto(String(link))
    await theirs.getByText('is invited to the account').waitFor()
    await inspect(theirs, 'invite')
    await theirs.getByLabel('Choose a password').fill('correct horse battery')
    await theirs.getByRole('button', { name: 'Join' }).click()
    await theirs.waitForURL('**/servers')
    expect(theirs.url()).not.toContain('dmi_')
    await page.reload()
    await page.getByLabel('Role of bob@example.test').selectOption('editor')
    await theirs.goto(`${dashboard.docent.url}/team`)
    await theirs.getByRole('row', { name: 'bob@example.test' }).getByText('editor').waitFor()
    expect(await theirs.getByRole('button', { name: 'Make a link' }).count()).toBe(0)
    // Others may leave, but not the only owner.
    expect(await theirs.getByRole('button', { name: 'Leave' }).count()).toBe(1)
    await page.getByRole('row', { name: 'bob@example.test' }).waitFor()
    expect(await page.getByRole('button', { name: 'Leave' }).count()).toBe(0)
    await page.getByLabel('Role of bob@example.test').selectOption('owner')
    await page.getByRole('button', { name: 'Leave' }).waitFor()
    await context?.close()
  })

  testLong('names servers and members in the audit log', async () => {
    const { docent } = dashboard
    const headers = { origin: docent.url }
    const data = { name: 'Sprocket manual', sources: [{ url: 'https://sprockets.example.com/' }] }
    const made = await page.context().request.post(`${docent.url}/api/mcp/create`, { headers, data })
    const { serverId } = await made.json()
    await page.goto(`${docent.url}/audit`)
    // The names come from other lists than the entries.
    const shows = (action: string, thing: string) =>
      page.getByRole('row').filter({ hasText: action }).filter({ hasText: thing }).first().waitFor()
    await shows('servers.create', `server Sprocket manual${serverId}`)
    await shows('members.change', 'member bob@example.test')
  })
  testLong('joins another account with its session, and switches between the two in the header', async () => {
    const { docent } = dashboard
    const key = await docent.makeKey('other@example.test')
    const asked = { email: EMAIL, role: 'viewer' }
    const { body } = await docent.request('POST', '/api/members/invitations', asked, { key })
    await page.goto(body.link)
    await page.getByRole('button', { name: 'Join' }).click()
    await page.waitForURL('**/servers')
    const header = page.getByRole('combobox', { name: 'Account', exact: true })
    const chosen = () => header.locator('option:checked').textContent()
    await expect.poll(chosen).toBe('other (viewer)')
    // Only owners see the keys.
    await page.goto(`${docent.url}/keys`)
    await page.getByText('Only an owner').first().waitFor()
    await header.selectOption({ label: 'mira (owner)' })
    await page.waitForURL('**/servers')
    await expect.poll(chosen).toBe('mira (owner)')
    await page.goto(`${docent.url}/keys`)
    await page.getByRole('heading', { name: 'New key' }).waitFor()
  })
})
