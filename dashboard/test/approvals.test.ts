import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installedBrowser } from '../../server/test/support/lib/installed-browser.ts'
import { disposeAll } from '../../server/test/support/lib/keep-open.ts'
import { inspect } from './inspect.ts'
import { type Dashboard, claim, openDashboard } from './open-dashboard.ts'

const program = installedBrowser()

describe.skipIf(program === null)('approvals in the dashboard', () => {
  let dashboard: Dashboard
  let page: Page
  beforeAll(async () => {
    dashboard = await openDashboard(program ?? '')
    page = dashboard.page
    await claim(dashboard)
  })
  afterAll(() => disposeAll(dashboard))

  test('shows what the key of an assistant wants to delete, and lets it once approved', async () => {
    const { docent } = dashboard
    await page.goto(`${docent.url}/keys`)
    await page.getByLabel('Name').fill('My assistant')
    await page.getByLabel('May').selectOption('assistant')
    await page.getByRole('button', { name: 'Make a key' }).click()
    const key = String(await page.locator('.secret code').textContent())
    const as = (method: string, path: string, body?: object) => docent.request(method, path, body, { key })
    const made = await as('POST', '/api/mcp/create', {
      name: 'Manual',
      sources: [{ url: 'http://127.0.0.1:19151/' }],
      visibility: 'private',
    })
    const refused = await as('DELETE', `/api/mcp/${made.body.slug}`)
    expect(refused.body.error).toBe('approval_required')
    const answer = await page.goto(refused.body.approvalUrl)
    expect(answer?.headers()['content-security-policy']).toContain("frame-ancestors 'none'")
    const row = page.getByRole('row', { name: 'My assistant' })
    expect(await row.innerText()).toContain('“Manual”')
    await inspect(page, 'approvals')
    await row.getByRole('button', { name: 'Approve' }).click()
    await row.getByText('Approved, once').waitFor()
    expect((await as('DELETE', `/api/mcp/${made.body.slug}`)).status).toBe(200)
    await page.reload()
    await page.getByText('The request of this address was made or refused already').waitFor()
  })
})
