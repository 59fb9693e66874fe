import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installedBrowser } from '../../server/test/support/lib/installed-browser.ts'
import { disposeAll } from '../../server/test/support/lib/keep-open.ts'
import { page as html, type Site, startSite } from '../../server/test/support/sites/site.ts'
import { inspect, readJson, slugOf } from './inspect.ts'
import { type Dashboard, EMAIL, PASSWORD, openDashboard, testLong } from './open-dashboard.ts'

const program = installedBrowser()

/** Pages about sprockets, one of them hostile, one missing. */
const PAGES = {
  '/': html('Sprocket manual', 'A sprocket drives the chain of a machine.', ['/oil', '/teeth', '/widget', '/missing']),
  '/oil': html('Oiling', 'Oil every sprocket twice a year, with three drops of thin oil on each tooth.'),
  '/teeth': html('Teeth', 'A sprocket has between nine and fifty teeth. Count the teeth before you order a chain.'),
  '/widget': html(
    '&lt;img src=x onerror=alert(1)&gt;',
    'The widget &lt;script&gt;alert(2)&lt;/script&gt; is described [here](javascript:alert(3)) by **nobody**.',
  ),
}

describe.skipIf(program === null)('dashboard', () => {
  let dashboard: Dashboard
  let site: Site
  let page: Page
  const open = (path: string) => page.goto(dashboard.docent.url + path)

  beforeAll(async () => {
    site = await startSite(PAGES)
    dashboard = await openDashboard(program ?? '')
    page = dashboard.page
  })
  afterAll(() => disposeAll(dashboard, site))

  test('explains how to create the first account', async () => {
    await open('/')
    await page.getByText('npm run docent -- setup-link').first().waitFor()
    await inspect(page, 'unclaimed')
  })

  test('creates the first account with the setup link, which then stops working', async () => {
    const link = await dashboard.setupLink()
    await page.goto(link)
    await page.getByLabel('Email address').waitFor()
    // The secret does not stay in the address bar.
    expect(page.url()).toBe(`${dashboard.docent.url}/setup`)
    await inspect(page, 'setup')
    await page.getByLabel('Email address').fill(EMAIL)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Make the account' }).click()
    await page.getByRole('heading', { name: 'Make your first server' }).waitFor()
    await inspect(page, 'servers-empty')
  })

  test('makes a live server from an address, in two actions', async () => {
    await page.getByLabel('Address').fill(`${site.url}/`)
    await page.locator('.found .ok').waitFor()
    await inspect(page, 'new-server')
    await page.getByRole('button', { name: 'Make the server' }).click()
    await page.getByRole('heading', { name: 'Sprocket manual', level: 1 }).waitFor()
    await page.locator('.src .ok', { hasText: 'Ready' }).waitFor()
    // Found = indexed + skipped + failed + to go.
    const text = (await page.locator('.key').innerText()).match(/\d+/g)?.map(Number) ?? []
    expect(text.reduce((sum, part) => sum + part, 0)).toBe(5)
    await page.getByText('not found').first().waitFor()
    await inspect(page, 'overview')
  })

  test('lists the pages that were left out, with the reason', async () => {
    await page.getByRole('link', { name: 'See the list' }).first().click()
    await page.getByText('The site answered 404').waitFor()
    await inspect(page, 'pages')
  })

  test('answers in the playground with citations, and shows texts of sources as text', async () => {
    await page.getByRole('link', { name: 'Playground', exact: true }).click()
    await page.getByLabel('question').fill('How often do I oil a sprocket?')
    await page.getByLabel('question').press('Control+Enter')
    await page.locator('.ans', { hasText: 'twice a year' }).waitFor()
    await page.locator('.ps .no').first().waitFor()
    await inspect(page, 'playground')
    await page.getByRole('button', { name: 'Protocol' }).click()
    await page.getByText('"jsonrpc": "2.0"').first().waitFor()

    await page.getByRole('button', { name: 'search_docs' }).click()
    await page.getByLabel('query', { exact: true }).fill('widget described by nobody')
    await page.getByRole('button', { name: /^Run/ }).click()
    await page.locator('.ps h3', { hasText: '<img src=x' }).waitFor()
    expect(await page.locator('.ps img, .ps script, .ps a[href^="javascript"]').count()).toBe(0)
  })

  test('connects a client to a private server with a token made on the click', async () => {
    await page.getByRole('link', { name: 'Settings', exact: true }).click()
    await page.getByRole('button', { name: 'Make it private' }).click()
    await page.getByText('The first access token').waitFor()
    await inspect(page, 'settings')
    await page.getByRole('button', { name: 'I have it' }).click()
    await dashboard.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('link', { name: 'Connect a client' }).click()
    // Claude Code signs in by itself. A token is the other way.
    await page.getByText('Run claude mcp login').waitFor()
    expect(await page.getByRole('button', { name: 'Copy with a new token' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Use an access token instead' }).click()
    await page.getByRole('button', { name: 'Copy with a new token' }).click()
    await page.locator('.cmd .tk', { hasText: 'dat_' }).waitFor()
    const command = await page.evaluate<string>('navigator.clipboard.readText()')
    const [, token = ''] = /Bearer (dat_\w+)/.exec(command) ?? []
    await page.getByText('Waiting for the client').waitFor()
    // The panel knows the number of calls before this one.
    await page.waitForResponse((response) => response.url().includes('/summary'))
    const slug = await slugOf(page)
    const ask = { question: 'How many teeth does a sprocket have?' }
    const headers = { authorization: `Bearer ${token}`, 'user-agent': 'sprocket-client/1.0' }
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'sprocket-client', version: '1' },
    }
    const hello = { jsonrpc: '2.0', id: 1, method: 'initialize', params }
    await dashboard.docent.request('POST', `/api/mcp/${slug}`, hello, { key: null, headers })
    await page.getByText('Connected. Ask it something').waitFor()
    const answer = await dashboard.docent.callTool(slug, 'ask_question', ask, headers)
    expect(answer.result.content[0].text).toContain('fifty teeth')
    await page.getByText('Connected: the first call came').waitFor()
    await page.getByRole('button', { name: 'ChatGPT' }).click()
    await page.getByText('127.0.0.1 exists only here').waitFor()
    await inspect(page, 'connect')
  })

  test('shows a new request while the log is open', async () => {
    const slug = await slugOf(page)
    await open(`/servers/${slug}/requests`)
    await page.locator('.log').getByText('Live').waitFor()
    const made = await page.evaluate<{ plaintext: string }>(
      `fetch('/api/mcp/${slug}/access-tokens', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"Live"}' }).then((answer) => answer.json())`,
    )
    const headers = { authorization: `Bearer ${made.plaintext}` }
    await dashboard.docent.callTool(slug, 'search_docs', { query: 'a question of this very second' }, headers)
    await page.getByRole('button', { name: 'a question of this very second' }).waitFor()
  })

  test('shows what a request read, and why', async () => {
    const slug = await slugOf(page)
    await open(`/servers/${slug}/requests`)
    await page.getByRole('button', { name: 'How many teeth does a sprocket have?' }).click()
    await page.getByRole('heading', { name: 'What it read' }).waitFor()
    await page.locator('.dt ol li').first().waitFor()
    await inspect(page, 'requests')
    await page.getByRole('searchbox', { name: 'Find a question' }).fill('TEETH sprocket')
    await expect.poll(() => page.locator('.lt .q').allInnerTexts()).toHaveLength(1)
    expect(page.url()).toContain('search=TEETH+sprocket')
    await page.getByRole('searchbox', { name: 'Find a question' }).fill('')
    await expect.poll(() => page.url()).not.toContain('search=')
    await page.getByLabel('Order').selectOption('oldest')
    await expect.poll(async () => (await page.locator('.lt .q').allInnerTexts()).at(-1)).toContain('very second')
    expect(page.url()).toContain('sort=oldest')
    await page.getByLabel('outcome').selectOption('failed')
    await page.getByText('No request matches the filters.').waitFor()
    expect(page.url()).toContain('outcome=failed')
  })

  test('changes the tools of a server', async () => {
    await page.getByRole('link', { name: /^Tools/ }).click()
    await page.getByRole('checkbox', { name: /get_changelog/ }).check()
    await inspect(page, 'tools')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('6 tools chosen').waitFor()
    const { tools } = await readJson<{ tools: string[] }>(page, `/api/mcp/${await slugOf(page)}/tools`)
    expect(tools).toContain('get_changelog')
  })

  test('makes an API key that is shown once', async () => {
    await open('/keys')
    await page.getByLabel('Name').fill('Laptop')
    await page.getByRole('button', { name: 'Make a key' }).click()
    const key = await page.locator('.secret code').innerText()
    await inspect(page, 'keys')
    const list = await dashboard.docent.request('GET', '/api/mcp/list', undefined, { key })
    expect(list.body).toHaveLength(1)
    await page.getByRole('button', { name: 'I have it' }).click()
    expect(await page.getByText(key).count()).toBe(0)
  })

  test('goes anywhere by keyboard', async () => {
    await open('/plan')
    await page.getByRole('heading', { name: 'Plan and limits' }).waitFor()
    await inspect(page, 'plan')
    await page.keyboard.press('Control+k')
    await page.getByLabel('Name of a screen or a server').waitFor()
    await page.keyboard.type('sprocket req')
    await inspect(page, 'go-to')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/requests$/)
    // Arrow keys mark another name.
    await page.keyboard.press('Control+k')
    await page.keyboard.type('sprocket manual')
    const list = page.getByRole('listbox', { name: 'Screens and servers' })
    const marked = list.getByRole('option', { selected: true })
    await list.getByRole('option', { name: 'Sprocket manual', exact: true }).and(marked).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    const text = await marked.innerText()
    expect(text).toMatch(/^Sprocket manual: /)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await list.getByRole('option').last().and(marked).waitFor()
    for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowDown')
    expect(await marked.innerText()).toBe(text)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/servers\/[^/]+\/\w+$/)
    await page.getByRole('heading', { name: 'Sprocket manual', level: 1 }).waitFor()
  })

  testLong('names each screen in the title of its tab, and moves the focus to it', async () => {
    const slug = await slugOf(page)
    await open(`/servers/${slug}`)
    for (const [name, title] of [
      ['Playground', 'Playground · Sprocket manual · Docent'],
      ['Settings', 'Settings · Sprocket manual · Docent'],
      ['Overview', 'Overview · Sprocket manual · Docent'],
    ] as const) {
      await page.getByRole('navigation', { name: 'Server' }).getByRole('link', { name }).press('Enter')
      await expect.poll(() => page.title()).toBe(title)
      await expect.poll(() => page.evaluate<string>('document.activeElement.id')).toBe('main')
    }
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Servers' }).click()
    await expect.poll(() => page.title()).toBe('Servers · Docent')
  })

  testLong('shows the API reference from the OpenAPI document of the service', async () => {
    await open('/reference')
    await page.getByLabel('Find an operation').fill('post create server')
    await page.locator('summary', { hasText: '/api/mcp/create' }).click()
    await page.getByRole('rowheader', { name: 'sources[].url' }).waitFor()
    await inspect(page, 'reference')
  })

  test('deletes a server and restores it, in two clicks', async () => {
    const slug = await slugOf(page)
    await open(`/servers/${slug}/settings`)
    await page.getByRole('button', { name: 'Delete the server' }).click()
    await inspect(page, 'delete')
    await page.locator('dialog').getByRole('button', { name: 'Delete the server' }).click()
    await page.getByRole('link', { name: '1 deleted server' }).click()
    await inspect(page, 'deleted')
    await page.getByRole('button', { name: /^Restore/ }).click()
    await page.getByRole('heading', { name: 'Sprocket manual', level: 1 }).waitFor()
    await open('/servers')
    await page.getByRole('heading', { name: 'Servers' }).waitFor()
    await page.getByRole('img', { name: /^2 requests in 7 days, 0 failed$/ }).waitFor()
    await inspect(page, 'servers')
  })

  test('signs out everywhere, and in again', async () => {
    await open('/account')
    await page.getByRole('button', { name: 'Sign out everywhere' }).first().click()
    await page.locator('dialog').getByRole('button', { name: 'Keep it' }).click()
    await inspect(page, 'account')
    await page.getByRole('button', { name: 'Sign out everywhere' }).first().click()
    await page.locator('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.getByLabel('Email address').fill(EMAIL)
    await page.getByLabel('Password').fill('wrong horse battery')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('The email address or the password is wrong.').waitFor()
    await inspect(page, 'sign-in')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Servers' }).waitFor()
  })

  test('keeps scripts, styles and fonts of the first screen within their size limits', async () => {
    await open('/servers')
    await page.getByRole('heading', { name: 'Servers' }).waitFor()
    await page.evaluate('document.fonts.ready.then(() => null)')
    const sizes = await page.evaluate<{ name: string; encodedBodySize: number }[]>(
      "performance.getEntriesByType('resource').map(({ name, encodedBodySize }) => ({ name, encodedBodySize }))",
    )
    const kilobytes = (pattern: RegExp) =>
      sizes.filter(({ name }) => pattern.test(name)).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) /
      1024
    expect(kilobytes(/\.js$/)).toBeGreaterThan(5)
    expect(kilobytes(/\.js$/)).toBeLessThan(90)
    expect(kilobytes(/\.css$/)).toBeLessThan(12)
    expect(kilobytes(/\.woff2$/)).toBeLessThan(55)
  })

  // Browsers load six files at once over HTTP/1.1. The calls of the interface wait behind any more.
  testLong('loads a screen with at most six files besides those of all screens', async () => {
    const shared = readFileSync(join(import.meta.dirname, '../../dist/dashboard/index.html'), 'utf8')
    await open('/servers')
    const server = page.getByRole('link', { name: 'Sprocket manual' }).first()
    await server.waitFor()
    const overview = (await server.getAttribute('href')) ?? ''
    for (const path of ['/servers', overview]) {
      await open(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      const files = await page.evaluate<string[]>(
        "performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)",
      )
      const own = files.filter((name) => /\.(js|css)$/.test(name) && !shared.includes(name))
      expect(own.length, path).toBeGreaterThan(0)
      expect(own.length, own.join(' ')).toBeLessThanOrEqual(6)
    }
  })

  test('keeps the code of each screen below 30 kB', () => {
    const folder = join(import.meta.dirname, '../../dist/dashboard/assets')
    const chunks = readdirSync(folder).filter((name) => name.endsWith('.js.gz'))
    expect(chunks.length).toBeGreaterThan(10)
    const large = chunks.filter((name) => statSync(join(folder, name)).size > 30 * 1024)
    expect(large).toEqual([])
  })

  test('logs nothing to the browser console and requests nothing from other hosts', () => {
    expect(dashboard.complaints).toEqual([])
  })
})
