import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installedBrowser } from '../../server/test/support/lib/installed-browser.ts'
import { disposeAll } from '../../server/test/support/lib/keep-open.ts'
import { page as html, type Site, startSite } from '../../server/test/support/sites/site.ts'
import { insertGrant, insertOAuthToken } from '@docent/server/store/accounts/grants.ts'
import { inspect, readJson } from './inspect.ts'
import { type Dashboard, claim, makeServer, openDashboard, testLong } from './open-dashboard.ts'

const program = installedBrowser()

describe.skipIf(program === null)('saving in the dashboard', () => {
  let dashboard: Dashboard
  let site: Site
  let page: Page
  let slug: string
  const open = (path: string, tab = page) => tab.goto(dashboard.docent.url + path)
  const tabNamed = (name: string) => page.getByRole('navigation', { name: 'Server' }).getByRole('link', { name })
  const visibility = async () => (await readJson<{ visibility: string }>(page, `/api/mcp/${slug}`)).visibility
  const notice = (text: string) => page.locator('.notice').getByText(text)

  beforeAll(async () => {
    site = await startSite({ '/': html('Sprocket manual', 'Oil every sprocket twice a year, with thin oil.') })
    dashboard = await openDashboard(program ?? '')
    page = dashboard.page
    await claim(dashboard)
    slug = await makeServer(dashboard, 'Sprocket manual', `${site.url}/`)
  })
  afterAll(() => disposeAll(dashboard, site))

  testLong('lists the applications that were connected by signing in, and ends a connection', async () => {
    const { id: serverId } = await readJson<{ id: string }>(page, `/api/mcp/${slug}`)
    await dashboard.docent.inStore(async ({ read, write }) => {
      const server = read.selectFrom('servers').select('accountId').where('id', '=', serverId)
      const { accountId } = await server.executeTakeFirstOrThrow()
      const clientId = 'https://app.example/client.json'
      const allowed = { clientId, clientName: 'Chat', redirectUri: 'https://app.example/', scope: 'read ask' }
      await insertGrant(write, { id: 'con_1', accountId, personId: null, serverId, ...allowed, createdAt: 1 })
      await insertOAuthToken(write, { hash: 'x', grantId: 'con_1', kind: 'refresh', expiresAt: 2 ** 50 })
    })
    await open('/keys')
    const row = page.getByRole('row', { name: 'Chat' })
    await row.getByText('app.example').waitFor()
    await inspect(page, 'connections')
    await row.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Nobody has connected an application yet').waitFor()
    expect(await readJson(page, '/api/connections')).toEqual({ connections: [] })
  })

  test('says that settings are saved', async () => {
    await open(`/servers/${slug}/settings`)
    await page.getByLabel('Description').fill('All about sprockets.')
    await page.getByRole('button', { name: 'Save' }).click()
    await notice('Saved').waitFor()
    await inspect(page, 'saved')
    expect(await readJson(page, `/api/mcp/${slug}`)).toMatchObject({ description: 'All about sprockets.' })
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    await page.getByLabel('Display name').fill('The manual')
    await page.getByLabel('Further versions').fill('v1\n 2.x \n')
    await page.getByRole('button', { name: 'Save' }).first().click()
    await page.locator('.settings-list').getByText('The manual').waitFor()
    await notice('Saved').waitFor()
    expect(await readJson(page, `/api/mcp/${slug}`)).toMatchObject({
      sources: [{ label: 'The manual', include: [], versions: ['v1', '2.x'] }],
    })
  })

  test('asks before a server becomes public, says who can read it, and offers to undo that', async () => {
    await page.getByRole('button', { name: 'Make it private' }).click()
    await page.getByText('The first access token').waitFor()
    await page.getByRole('button', { name: 'I have it' }).click()
    await page.getByRole('button', { name: 'Make it public' }).click()
    const dialog = page.getByRole('dialog', { name: 'Make Sprocket manual public' })
    await dialog.getByText('Anybody who has the address can then').waitFor()
    await inspect(page, 'make-public')
    await dialog.getByRole('button', { name: 'Keep it' }).click()
    expect(await visibility()).toBe('private')
    await page.getByRole('button', { name: 'Make it public' }).click()
    await dialog.getByRole('button', { name: 'Make it public' }).click()
    await notice('Sprocket manual is public.').waitFor()
    expect(await visibility()).toBe('public')
    await page.getByRole('heading', { name: 'Limit callers without a token' }).waitFor()
    await inspect(page, 'limit-callers')
    await page.getByLabel('Requests a day of one network').fill('25')
    await page.getByRole('button', { name: 'Save the limits' }).click()
    await page.getByText('Saved.').waitFor()
    expect(await readJson(page, '/api/account/caller-limits')).toMatchObject({ anonymousPerNetworkPerDay: 25 })
    // The offer to undo stays on the next screen.
    await tabNamed('Rules').click()
    await page.locator('.notice').getByRole('button', { name: 'Undo' }).click()
    await notice('Undone').waitFor()
    expect(await visibility()).toBe('private')
    const { tokens } = await readJson<{ tokens: unknown[] }>(page, `/api/mcp/${slug}/access-tokens`)
    expect(tokens).toHaveLength(1)
  })

  test('asks before an unsaved form is left, by link, palette and the back button', async () => {
    await open(`/servers/${slug}`)
    await tabNamed('Settings').click()
    await page.getByLabel('Description').fill('Half a thought')
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
    await tabNamed('Overview').click()
    await dialog.waitFor()
    await inspect(page, 'leave')
    await dialog.getByRole('button', { name: 'Stay here' }).click()
    expect(await page.getByLabel('Description').inputValue()).toBe('Half a thought')

    await page.keyboard.press('Control+k')
    await page.keyboard.type('api keys')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Stay here' }).click()

    await page.goBack()
    await dialog.waitFor()
    expect(page.url()).toContain('/settings')
    await dialog.getByRole('button', { name: 'Leave', exact: true }).click()
    await page.getByText('You can ask').or(page.getByText('Ask it')).first().waitFor()
    expect(page.url()).toMatch(new RegExp(`/servers/${slug}$`))

    // Without a change, nobody asks.
    await tabNamed('Settings').click()
    await page.getByLabel('Description').waitFor()
    await tabNamed('Overview').click()
    await page.getByRole('link', { name: 'Open the playground' }).waitFor()
  })

  testLong('asks before a secret that is shown once is left', async () => {
    await open('/keys')
    await page.getByLabel('Name').fill('Laptop')
    await page.getByRole('button', { name: 'Make a key' }).click()
    await page.locator('.secret code').waitFor()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Servers' }).click()
    const dialog = page.getByRole('dialog', { name: 'Leave without the secret?' })
    await dialog.getByRole('button', { name: 'Stay here' }).click()
    await page.getByRole('button', { name: 'I have it' }).click()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Servers' }).click()
    await page.getByRole('heading', { name: 'Servers', level: 1 }).waitFor()
  })

  testLong('lets the browser ask before a reload with typed text', async () => {
    await open(`/servers/${slug}/settings`)
    await page.getByLabel('Name', { exact: true }).fill('Sprockets')
    await expect.poll(() => page.getByRole('button', { name: 'Save', exact: true }).isEnabled()).toBe(true)
    const asked = page.waitForEvent('dialog')
    void page.evaluate('location.reload()').catch(() => undefined)
    const dialog = await asked
    expect(dialog.type()).toBe('beforeunload')
    await dialog.accept()
    await page.getByRole('heading', { name: 'Sprocket manual', level: 1 }).waitFor()
  })

  test('shows the values of another tab instead of overwriting them', async () => {
    const other = await dashboard.context.newPage()
    await open(`/servers/${slug}/settings`)
    await open(`/servers/${slug}/settings`, other)
    await page.getByLabel('Description').fill('From the first tab.')
    await other.getByLabel('Description').fill('From the second tab.')
    await other.getByRole('button', { name: 'Save' }).click()
    await other.locator('.notice').getByText('Saved').waitFor()
    await page.getByLabel('Index again').selectOption('weekly')
    await page.getByRole('button', { name: 'Save' }).click()
    const conflict = page.getByRole('alert').filter({ hasText: 'changed elsewhere' })
    await conflict.getByText('Description: “From the second tab.”').waitFor()
    await inspect(page, 'conflict')
    expect(await readJson(page, `/api/mcp/${slug}`)).toMatchObject({
      description: 'From the second tab.',
      refresh: 'daily',
    })
    await conflict.getByRole('button', { name: 'Save mine' }).click()
    await notice('Saved').waitFor()
    expect(await readJson(page, `/api/mcp/${slug}`)).toMatchObject({
      description: 'From the first tab.',
      refresh: 'weekly',
    })
    // Other fields of the later save stay as the earlier one left them.
    await other.getByLabel('Name', { exact: true }).fill('Sprocket handbook')
    await other.getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(() => readJson(page, `/api/mcp/${slug}`))
      .toMatchObject({ name: 'Sprocket handbook', description: 'From the first tab.', refresh: 'weekly' })
    await other.close()
  })

  test('logs nothing to the browser console', () => {
    expect(dashboard.complaints).toEqual([])
  })
})
