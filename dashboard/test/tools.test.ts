import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertCustomTool } from '../../server/src/store/servers/custom-tools.ts'
import { installedBrowser } from '../../server/test/support/lib/installed-browser.ts'
import { disposeAll } from '../../server/test/support/lib/keep-open.ts'
import { page as html, type Site, startSite } from '../../server/test/support/sites/site.ts'
import { inspect, readJson } from './inspect.ts'
import { type Dashboard, claim, makeServer, openDashboard, testLong } from './open-dashboard.ts'

const program = installedBrowser()

const setting = (name: string, text: string) => `<h2 id="${name}"><code>${name}</code></h2><p>${text}</p>`
const PAGES = {
  '/': html('Queue manual', 'The queue holds messages until a worker takes them.', ['/settings', '/workers']),
  '/settings': `<!doctype html><html lang="en"><head><title>Settings</title></head><body><main><h1>Settings</h1>
${setting('retry_limit', 'How often a message is tried again before it is dropped. Default: 5.')}
${setting('queue_size', 'How many messages the queue holds at once. Default: 1000.')}
${setting('log_level', 'Which events are written to the log. Default: info.')}
${setting('ack_timeout', 'How long a worker may take for a message. Default: 30 s.')}</main></body></html>`,
  '/workers': html('Workers', 'Workers take messages from the queue. Start as many of them as the machine has cores.'),
}
const PROMPT = 'Look up a setting by its name and explain what it does, with its default.'

describe.skipIf(program === null)('custom tools in the dashboard', () => {
  let dashboard: Dashboard
  let site: Site
  let page: Page
  let slug: string
  const open = (path: string) => page.goto(dashboard.docent.url + path)
  const builder = () => page.getByLabel('What the tool should do')

  beforeAll(async () => {
    site = await startSite(PAGES)
    dashboard = await openDashboard(program ?? '')
    page = dashboard.page
    await claim(dashboard)
    slug = await makeServer(dashboard, 'Queue', `${site.url}/`)
  })
  afterAll(() => disposeAll(dashboard, site))

  test('builds a tool from one sentence and tries it, in two clicks', async () => {
    await open(`/servers/${slug}/tools`)
    await builder().fill(PROMPT)
    await page.evaluate("window.clicks = 0; addEventListener('click', () => window.clicks++, true)")
    await page.getByRole('button', { name: 'Build the tool' }).click()
    await page.locator('.build', { hasText: 'Reading' }).waitFor()
    await page.getByRole('button', { name: 'Add it to this server and try it' }).waitFor()
    const built = page.locator('.built', { hasText: 'Understood: Looks up the setting' })
    await built.waitFor()
    await inspect(page, 'tool-built')
    await page.getByRole('button', { name: 'Add it to this server and try it' }).click()

    await page.waitForURL(/playground\?tool=/)
    const field = page.locator('.f .field').first()
    await field.getByRole('textbox').fill('queue_size')
    expect(await page.evaluate('window.clicks')).toBe(2)
    await page.getByRole('button', { name: /^Run/ }).click()
    await page.locator('.ps', { hasText: 'How many messages the queue holds' }).waitFor()
    await inspect(page, 'playground-custom')
  })

  testLong('copies a call as curl that gives the same answer', async () => {
    await dashboard.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy as curl' }).click()
    await page.getByText('Copied').waitFor()
    const command = await page.evaluate<string>('navigator.clipboard.readText()')
    expect(command).toContain(`curl ${dashboard.docent.url}/api/mcp/${slug}`)
    const [, body = ''] = /-d '(.*)'$/s.exec(command) ?? []
    const { body: answer } = await dashboard.docent.request('POST', `/api/mcp/${slug}`, body, {
      key: null,
      headers: { 'content-type': 'application/json' },
    })
    expect(JSON.stringify(answer)).toContain('How many messages the queue holds')
  })

  testLong('marks only cited passages', async () => {
    await page.getByRole('button', { name: 'ask_question' }).click()
    await page.getByLabel('question').fill('How many messages does the queue hold at once?')
    await page.getByRole('button', { name: /^Run/ }).click()
    await page.locator('.ps mark', { hasText: 'How many messages the queue holds' }).waitFor()
    await page.getByRole('button', { name: 'search_docs' }).click()
    await page.getByLabel('query', { exact: true }).fill('workers')
    await page.getByRole('button', { name: /^Run/ }).click()
    await page.locator('.ps', { hasText: 'Workers take messages' }).waitFor()
    expect(await page.locator('.ps mark, .ps .is-cited').count()).toBe(0)
    await page.getByRole('link', { name: 'Never use it' }).first().click()
    await page.waitForURL(/\/rules\?sentence=Leave/)
    expect(await page.getByLabel('Rule', { exact: true }).inputValue()).toMatch(/^Leave out pages under \//)
  })

  test('changes the words of a tool', async () => {
    await open(`/servers/${slug}/tools`)
    await page.getByRole('button', { name: 'Change the words' }).click()
    await page.getByLabel('Name for people').fill('Settings of the queue')
    await inspect(page, 'tool-words')
    await page.getByRole('button', { name: 'Save the words' }).click()
    await page.locator('.choices', { hasText: 'Settings of the queue' }).waitFor()
    await page.locator('.choices', { hasText: 'Understood: Looks up the setting' }).waitFor()
    const { tools } = await readJson<{ tools: { displayName: string }[] }>(page, '/api/custom-tools')
    expect(tools.map(({ displayName }) => displayName)).toEqual(['Settings of the queue'])
  })

  testLong('says why a tool was not built, and builds it again', async () => {
    await builder().fill('Send an e-mail to my boss whenever the weather changes.')
    await page.getByRole('button', { name: 'Build the tool' }).click()
    await page.locator('.builder [role=alert]').waitFor()
    const failed = page.locator('.choices li', { hasText: 'Send an e-mail' })
    await failed.getByText('Not built').waitFor()
    await inspect(page, 'tool-failed')
    await failed.getByRole('button', { name: 'Build it again' }).click()
    await failed.locator('[role=alert]').waitFor()
    await failed.getByRole('button', { name: 'Delete' }).click()
    await page.locator('dialog').getByRole('button', { name: 'Delete' }).click()
    await failed.waitFor({ state: 'detached' })
  })

  test('shows the progress and result of a build that another tab started', async () => {
    const id = 'ct_ofAnotherTab'
    const now = Date.now()
    await dashboard.docent.inStore(async ({ read, write }) => {
      const account = await read.selectFrom('accounts').select('id').executeTakeFirstOrThrow()
      await insertCustomTool(write, {
        id,
        accountId: account.id,
        name: 'custom_tool',
        displayName: 'Of another tab',
        description: 'Of another tab',
        status: 'building',
        inputSchema: '{"type":"object"}',
        plan: null,
        error: null,
        prompt: 'Look up something in another tab.',
        progress: '[{"stage":"reading","message":"Reading the whole library."}]',
        // Somebody works on it, so that no worker begins it again.
        leaseUntil: now + 600_000,
        createdAt: now,
        updatedAt: now,
      })
    })
    await open(`/servers/${slug}/tools`)
    await page.getByText('Reading the whole library.').waitFor()
    await dashboard.docent.inStore(({ write }) =>
      write
        .updateTable('customTools')
        .set({ status: 'failed', error: 'There was no library.' })
        .where('id', '=', id)
        .execute(),
    )
    await page.getByText('There was no library.').waitFor()
    await page.locator('.choices li', { hasText: 'another tab' }).getByRole('button', { name: 'Delete' }).click()
    await page.locator('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('There was no library.').waitFor({ state: 'detached' })
  })

  testLong('starts a new tool with the description of an existing one', async () => {
    await page.getByRole('button', { name: 'Build another like it' }).click()
    expect(await builder().inputValue()).toBe(PROMPT)
  })

  test('deletes a tool and takes it off the server', async () => {
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.locator('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('5 tools chosen').waitFor()
    const { tools } = await readJson<{ tools: string[] }>(page, `/api/mcp/${slug}/tools`)
    expect(tools.filter((name) => name.startsWith('custom:'))).toEqual([])
  })

  test('logs nothing to the browser console', () => {
    expect(dashboard.complaints).toEqual([])
  })
})
