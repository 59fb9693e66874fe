import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installedBrowser } from '../../server/test/support/lib/installed-browser.ts'
import { disposeAll } from '../../server/test/support/lib/keep-open.ts'
import { startProvider } from '../../server/test/support/service/fake-provider.ts'
import { oauthWorld } from '../../server/test/support/service/oauth-client.ts'
import { inspect } from './inspect.ts'
import { type Dashboard, EMAIL, claim, openDashboard, testLong } from './open-dashboard.ts'

const program = installedBrowser()

/** Pages before and beside the screens. */
describe.skipIf(program === null)('the pages of signing in', () => {
  let dashboard: Dashboard
  const open = (path: string) => dashboard.page.goto(dashboard.docent.url + path)

  beforeAll(async () => {
    // Nobody asks it before a person chooses it.
    const provider = {
      id: 'acme',
      name: 'Acme',
      issuer: 'http://127.0.0.1:19151',
      clientId: 'docent',
      clientSecret: 's',
    }
    dashboard = await openDashboard(program ?? '', { DOCENT_SIGN_IN_PROVIDERS: JSON.stringify([provider]) })
    await claim(dashboard)
  })
  afterAll(() => disposeAll(dashboard))

  test('have nothing for axe to find where a client asks for access', async () => {
    const { page, context, docent } = dashboard
    const data = { name: 'Manual', uploads: ['manual'], visibility: 'private' }
    const made = await context.request.post(`${docent.url}/api/mcp/create`, { headers: { origin: docent.url }, data })
    const { slug } = (await made.json()) as { slug: string }
    const world = oauthWorld(() => docent)
    const { client_id: clientId = '' } = await world.register({ client_name: 'Sprocket chat' })
    const asked = `/oauth/authorize?${new URLSearchParams(world.request(clientId, slug)).toString()}`
    await open(asked)
    await page.getByRole('button', { name: 'Allow', exact: true }).waitFor()
    await inspect(page, 'consent')
    await open(asked.replace(/client_id=\w+/, 'client_id=oac_none'))
    await page.getByRole('heading', { level: 1 }).waitFor()
    await inspect(page, 'consent-refused')
    await context.clearCookies()
    await open(asked)
    await page.getByLabel('Password').waitFor()
    await inspect(page, 'consent-sign-in')
  })

  test('have nothing for axe to find with a provider', async () => {
    await open('/sign-in')
    await dashboard.page.getByText('Acme').waitFor()
    await inspect(dashboard.page, 'sign-in-provider')
  })

  test('ask no other host', () => {
    expect(dashboard.complaints.filter((text) => !/Failed to load resource/.test(text))).toEqual([])
  })
})

describe.skipIf(program === null)('an instance without passwords', () => {
  testLong('offers the provider alone, on every screen that had to do with passwords', async () => {
    await using provider = await startProvider()
    const settings = { id: 'acme', name: 'Acme', issuer: provider.issuer, clientId: 'docent', clientSecret: 's' }
    await using dashboard = await openDashboard(program ?? '', {
      DOCENT_SIGN_IN_PROVIDERS: JSON.stringify([settings]),
      DOCENT_PASSWORD_SIGN_IN: 'off',
      DOCENT_SIGNUPS: 'on',
    })
    const { page, docent, context } = dashboard
    // The setup link takes a password, so that an instance whose provider is away can be set up.
    await claim(dashboard)
    await docent.makeKey('other@example.test')
    const passwords = () => page.locator('input[type=password]').count()
    await page.goto(`${docent.url}/account`)
    await page.getByText('This instance takes no passwords').waitFor()
    expect(await passwords()).toBe(0)
    await page.goto(`${docent.url}/instance`)
    await page.getByRole('row', { name: 'other@example.test' }).getByRole('button', { name: 'Switch off' }).waitFor()
    expect(await page.getByRole('button', { name: 'Reset' }).count()).toBe(0)

    await context.clearCookies()
    const button = page.getByRole('link', { name: 'Sign in with Acme' })
    const world = oauthWorld(() => docent)
    const asked = new URLSearchParams(world.request('none', 'none')).toString()
    for (const path of ['/sign-in', '/sign-up', `/oauth/authorize?${asked}`]) {
      await page.goto(docent.url + path)
      await button.waitFor()
      expect([path, await page.locator('input:not([type=hidden]), form button').count()]).toEqual([path, 0])
      expect(await page.getByText(/password|Forgotten|Make one/i).count()).toBe(0)
    }
    await page.goto(`${docent.url}/sign-in`)
    await button.waitFor()
    await inspect(page, 'sign-in-without-passwords')
    provider.next.token = { email: EMAIL, email_verified: true }
    await button.click()
    await page.waitForURL('**/servers')
    await page.goto(`${docent.url}/account`)
    await page.getByText(EMAIL).first().waitFor()
  })
})
