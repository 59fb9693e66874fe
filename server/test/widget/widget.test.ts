import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { portalOf } from '../support/service/developer-portal.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { disposeAll } from '../support/lib/keep-open.ts'
import { sampleOf } from '../support/lib/sample-of.ts'
import { page as sitePage, type Site, startSite } from '../support/sites/site.ts'
import {
  buildWidget,
  findAccessibilityProblems,
  type HostPage,
  openBrowser,
  openHostPage,
} from '../support/lib/widget-page.ts'

const dist = join(import.meta.dirname, '../../../dist/widget')
/** Budget of the script in bytes, compressed by gzip. */
const BUDGET = 15_000

/** The built script is shared by all tests of this file. */
const browser: Browser | null = await openBrowser()
beforeAll(buildWidget)
afterAll(() => browser?.close())

test('builds a script of at most 15 kB', () => {
  const size = readFileSync(join(dist, 'docent.js.gz')).byteLength
  expect(size).toBeGreaterThan(3_000)
  expect(size).toBeLessThanOrEqual(BUDGET)
})

test('serves the script compressed, with an ETag, to pages of any origin', async () => {
  await using docent = await startDocent()
  const script = readFileSync(join(dist, 'docent.js'))
  const url = `${docent.url}/embed/docent.js`
  const get = (headers: Record<string, string>) => fetch(url, { headers })
  for (const [sent, encoding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['identity', null],
  ] as const) {
    const answer = await get({ 'accept-encoding': sent })
    expect([sent, answer.status, answer.headers.get('content-encoding')]).toEqual([sent, 200, encoding])
    expect(Buffer.from(await answer.arrayBuffer()).equals(script)).toBe(true)
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
  }
  const etag = (await get({})).headers.get('etag') ?? ''
  const unchanged = await get({ 'if-none-match': etag })
  expect([unchanged.status, await unchanged.text()]).toEqual([304, ''])
  expect(brotliDecompressSync(readFileSync(join(dist, 'docent.js.br'))).equals(script)).toBe(true)
  expect(gunzipSync(readFileSync(join(dist, 'docent.js.gz'))).equals(script)).toBe(true)
})

describe.skipIf(browser === null)('widget in a page of another origin', () => {
  const open = (options: Parameters<typeof openHostPage>[1]) => openHostPage(browser as Browser, options)
  let site: Site
  let docent: Docent
  let clientId = ''
  let clientSecret = ''
  let configuration = ''

  beforeAll(async () => {
    site = await startSite({
      '/': sitePage('Otters', 'Seven otters share a raft. A raft of otters floats in the kelp. Kelp is brown.'),
    })
    docent = await startDocent()
    const sources = [{ url: `${site.url}/` }]
    await docent.createServer({ name: 'otters', sources })
    ;({ clientId, clientSecret } = await portalOf(docent, 'owner'))
    configuration = await configure({})
  })
  afterAll(() => disposeAll(docent, site))

  async function configure(settings: object): Promise<string> {
    const tools = JSON.stringify(['ask_question', 'search_docs'].map((name) => ({ name, enabled: true })))
    const input = { domain: 'docs.example.com', tools, ...settings }
    const saved = await docent.request('POST', '/api/configurations', input, { key: clientSecret })
    expect(saved.status).toBe(200)
    return saved.body.id
  }

  const onPage = (more: Omit<Parameters<typeof openHostPage>[1], 'service'> = {}) =>
    open({ service: docent.url, data: `data-configuration="${configuration}"`, ...more })

  test('answers a question with its sources, and nothing is blocked by a strict policy', async () => {
    await using host = await onPage()
    const { page, problems } = host
    await page.getByRole('button', { name: 'Ask the docs' }).click()
    const dialog = page.getByRole('dialog', { name: 'Ask the docs' })
    await dialog.getByRole('textbox').fill('How many otters share a raft?')
    await page.keyboard.press('Enter')
    await dialog.getByText('Seven otters share a raft.').waitFor()
    expect(await dialog.getByRole('list', { name: 'Sources' }).getByRole('link').getAttribute('href')).toBe(
      `${site.url}/`,
    )
    const mark = dialog.getByRole('link', { name: 'Source 1: Otters' })
    expect(await mark.getAttribute('href')).toBe(`${site.url}/`)
    await dialog.getByText('The answer is complete, with one source.').waitFor({ state: 'attached' })
    expect(await dialog.getByRole('textbox').inputValue()).toBe('')
    const helpful = dialog.getByRole('button', { name: 'Helpful', exact: true })
    await helpful.click()
    await dialog.getByText('Thank you.').first().waitFor()
    expect(await helpful.getAttribute('aria-pressed')).toBe('true')

    await dialog.getByRole('button', { name: 'Search' }).click()
    await page.keyboard.type('kelp')
    await page.keyboard.press('Enter')
    await dialog.getByRole('article').nth(1).getByText('Kelp is brown.').waitFor()
    expect(problems).toEqual([])
    const log = await docent.request('GET', '/api/mcp/list')
    const calls = await docent.request('GET', `/api/analytics/${log.body.servers?.[0]?.id ?? log.body[0].id}/calls`)
    const shown = calls.body.calls.map(({ tool, feedback }: any) => [tool, feedback])
    expect(shown).toEqual([
      ['search_docs', undefined],
      ['ask_question', 'helpful'],
    ])
  })

  test('proposes questions that its pages answer, until a visitor asks the first question', async () => {
    const feeding = 'To feed an otter, throw a crab into the pool at noon. Otters also like mussels.'
    await using guide = await startSite({ '/': sitePage('Feeding an otter', feeding) })
    const { serverId } = await docent.createServer({ name: 'feeding', sources: [{ url: `${guide.url}/` }] })
    const sources = JSON.stringify([{ type: 'website', enabled: true, serverId }])
    const asking = await configure({ sources, domain: 'example.com' })
    await using host = await open({
      service: docent.url,
      data: `data-configuration="${asking}"`,
    })
    const { page, problems } = host
    await page.getByRole('button', { name: 'Ask the docs' }).click()
    const dialog = page.getByRole('dialog', { name: 'Ask the docs' })
    const proposed = dialog.getByRole('group', { name: 'Questions to begin with' })
    await proposed.getByRole('button', { name: 'How do I feed an otter?' }).click()
    await dialog.getByText('throw a crab into the pool at noon').waitFor()
    expect(await proposed.count()).toBe(0)
    await dialog.getByRole('textbox').fill('What is the capital of Mongolia?')
    await page.keyboard.press('Enter')
    await dialog.getByText('The documentation does not answer this.').waitFor({ state: 'attached' })
    expect(problems).toEqual([])
    await docent.request('DELETE', `/api/mcp/${serverId}`)
  })

  test('opens, closes and returns by keyboard', async () => {
    await using host = await onPage()
    const { page } = host
    const button = page.getByRole('button', { name: 'Ask the docs' })
    await button.waitFor()
    await page.keyboard.press('Control+k')
    const box = page.getByRole('dialog').getByRole('textbox')
    await box.waitFor()
    await page.keyboard.type('kelp')
    expect(await box.inputValue()).toBe('kelp')
    await page.keyboard.press('Shift+Enter')
    expect(await box.inputValue()).toBe('kelp\n')
    await page.keyboard.press('Escape')
    await box.waitFor({ state: 'hidden' })
    await button.focus()
    await page.keyboard.press('Enter')
    await box.waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await box.waitFor({ state: 'hidden' })
    expect(await page.evaluate('document.activeElement.tagName')).toBe('DOCENT-ASK')
  })

  test('leaves Ctrl+K to a page that uses it', async () => {
    await using host = await onPage()
    const { page } = host
    await page.getByRole('button', { name: 'Ask the docs' }).waitFor()
    await page.evaluate('addEventListener("keydown", (event) => event.preventDefault(), true)')
    await page.keyboard.press('Control+k')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  /** One page in several looks: a new one costs a second of processor time. */
  let looked: HostPage
  beforeAll(async () => {
    looked = await onPage()
    return () => looked[Symbol.asyncDispose]()
  })

  test.each(
    sampleOf(
      [
        ['light', 1_280, {}],
        ['dark', 1_280, {}],
        ['light', 390, {}],
        [
          'dark',
          390,
          { layout: 'vertical', colors: '{"primary":"#ffd400","darkPrimary":"#003b7a"}', fontFamily: 'Georgia' },
        ],
      ] as const,
      0,
      2,
    ),
  )('has no findings of axe in %s at %i pixels', async (colorScheme, width, settings) => {
    await configure({ layout: 'horizontal', colors: '{}', fontFamily: '', ...settings })
    const { page, problems } = looked
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme })
    await page.reload()
    await page.getByRole('button', { name: 'Ask the docs' }).waitFor()
    expect(await findAccessibilityProblems(page)).toEqual([])
    await page.keyboard.press('Control+k')
    await page.keyboard.type('How many otters share a raft?')
    await page.keyboard.press('Enter')
    await page.getByText('The answer is complete').waitFor({ state: 'attached' })
    const folder = process.env['DOCENT_SCREENSHOTS']
    if (folder) await page.screenshot({ path: join(folder, `widget-${colorScheme}-${width}.png`) })
    expect(await findAccessibilityProblems(page)).toEqual([])
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    const overflow = await page.getByRole('dialog').evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth)
    expect(overflow).toBe(0)
    expect(problems).toEqual([])
  })

  test('uses its attribution token once and keeps it from the page', async () => {
    const { body } = await docent.request(
      'POST',
      '/api/attribution/token',
      { clientId, endUserId: 'user-42' },
      { key: clientSecret },
    )
    const data = `data-configuration="${configuration}" data-attribution-token="${body.token}"`
    await using host = await onPage({ data })
    const { page, problems } = host
    const element = page.locator('docent-ask')
    await element.waitFor({ state: 'attached' })
    await page.keyboard.press('Control+k')
    await page.keyboard.type('How many otters share a raft?')
    await page.keyboard.press('Enter')
    await page.getByText('The answer is complete').waitFor({ state: 'attached' })
    expect(await element.getAttribute('attribution-token')).toBeNull()
    const sessions = await docent.inStore(({ read }) =>
      read.selectFrom('embedSessions').select('endUserId').where('attributionId', 'is not', null).execute(),
    )
    expect([sessions, problems]).toEqual([[{ endUserId: 'user-42' }], []])
  })

  test('shows the sources before the text, and has one button with the name Ask', async () => {
    await using host = await onPage()
    const { page } = host
    await page.getByRole('button', { name: 'Ask the docs' }).click()
    expect(await page.getByRole('button', { name: 'Ask', exact: true }).count()).toBe(1)
    await page.keyboard.type('How many otters share a raft?')
    await page.keyboard.press('Enter')
    await page.getByText('The answer is complete, with one source.').waitFor()
    const [source, answer] = await Promise.all([
      page.getByRole('list', { name: 'Sources' }).boundingBox(),
      page.locator('.answer').boundingBox(),
    ])
    // Beside the first line.
    expect(Math.abs((source?.y ?? 0) - (answer?.y ?? 99))).toBeLessThan(8)
    expect(source?.x ?? 0).toBeGreaterThan((answer?.x ?? 0) + (answer?.width ?? 0) - 1)
  })

  test('says why a private server does not answer, and goes on after a reload with the session of a token', async () => {
    const { serverId } = await docent.createServer({
      name: 'secret',
      sources: [{ url: `${site.url}/` }],
      visibility: 'private',
    })
    const sources = JSON.stringify([{ type: 'website', enabled: true, serverId }])
    const secret = await configure({ sources, domain: 'example.com' })
    const ask = async (page: HostPage['page']) => {
      await page.getByRole('button', { name: 'Ask the docs' }).waitFor()
      await page.keyboard.press('Control+k')
      await page.keyboard.type('How many otters share a raft?')
      await page.keyboard.press('Enter')
    }
    {
      await using host = await open({ service: docent.url, data: `data-configuration="${secret}"` })
      await ask(host.page)
      await host.page.getByRole('alert').getByText('The sources of this widget are private.').waitFor()
      await host.page.getByText('There is no answer.').waitFor()
    }
    const minted = await docent.request(
      'POST',
      '/api/attribution/token',
      { clientId, endUserId: 'user-7' },
      { key: clientSecret },
    )
    const data = `data-configuration="${secret}" data-attribution-token="${minted.body.token}"`
    {
      await using host = await open({ service: docent.url, data })
      await ask(host.page)
      await host.page.getByText('The answer is complete, with one source.').waitFor()
      await host.page.reload()
      await ask(host.page)
      await host.page.getByText('The answer is complete, with one source.').waitFor()
      expect(host.problems).toEqual([])
    }
    // Another tab has no session, and the token is used.
    await using host = await open({ service: docent.url, data })
    await ask(host.page)
    await host.page.getByRole('alert').getByText('was used before').waitFor()
    await docent.request('DELETE', `/api/mcp/${serverId}`)
  })

  test('shows a box in the page with mode="inline", and emits the events of its element', async () => {
    await using host = await onPage({
      data: '',
      html: `<docent-ask configuration="${configuration}" mode="inline"></docent-ask>`,
    })
    const { page, problems } = host
    const told = page.evaluate(
      'new Promise((resolve) => addEventListener("docent:answer", ({ detail }) => resolve(detail), { once: true }))',
    )
    await page.getByRole('textbox', { name: 'Ask the docs' }).fill('How many otters share a raft?')
    await page.getByRole('button', { name: 'Send' }).click()
    expect(await told).toEqual({ sources: 1 })
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await findAccessibilityProblems(page)).toEqual([])
    expect(problems).toEqual([])
  })

  test('shows nothing on a page of another domain, and tells the page why', async () => {
    const foreign = await configure({ domain: 'other.example.com' })
    await using host = await onPage({ data: '', html: `<docent-ask configuration="${foreign}"></docent-ask>` })
    const { page } = host
    const told = page.evaluate(`new Promise((resolve) => {
      addEventListener('docent:error', ({ detail }) => resolve(detail.message))
      const other = document.createElement('docent-ask')
      other.setAttribute('configuration', '${foreign}')
      document.body.append(other)
    })`)
    expect(await told).toContain('its widget is for pages of another domain')
    expect(await page.getByRole('button').count()).toBe(0)
  })
})
