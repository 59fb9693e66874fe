import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installedBrowser } from '../../server/test/support/lib/installed-browser.ts'
import { page as html, type Site, startSite } from '../../server/test/support/sites/site.ts'
import { SCREENS } from '../src/lib/screen-list.ts'
import { type Dashboard, claim, makeServer, openDashboard } from './open-dashboard.ts'

const program = installedBrowser()

/** Records what the scripts of a page ask for. A preload that they never use is a wasted request. */
const RECORD = `
globalThis.asked = []
const { fetch } = globalThis
globalThis.fetch = (url, init) => {
  asked.push(new URL(url, location.href).href)
  return fetch(url, init)
}`
/** An element goes away when a screen uses its answer. */
const UNUSED = `[...document.querySelectorAll('link[rel="preload"][as="fetch"], script[data-href]')].map(
  ({ href, dataset }) => href ?? dataset.href)`
/** Queries whose answers come with the page, and those that the browser begins because they did not come in time. */
const ANSWERED = /<script type="application\/json" data-href="([^"]+)"/g
const NAMED = /<link rel="preload" as="fetch" crossorigin href="([^"]+)"/g

describe.skipIf(program === null)('the resources of a page', () => {
  let dashboard: Dashboard
  let site: Site
  let slug = ''
  /** The tests load one page again and again: a new one costs half a second of processor time. */
  let page: Page
  const sent: string[] = []
  const missing: string[] = []

  beforeAll(async () => {
    site = await startSite({ '/': html('Sprocket manual', 'A sprocket drives the chain of a machine.') })
    dashboard = await openDashboard(program ?? '')
    await claim(dashboard)
    slug = await makeServer(dashboard, 'Sprocket manual', `${site.url}/`)
    page = await dashboard.context.newPage()
    page.on('request', (request) => {
      // Requests of the screen before do not count.
      if (request.isNavigationRequest()) sent.length = 0
      sent.push(request.url())
    })
    page.on('response', (response) => {
      if (response.status() >= 400 && response.url().includes('/assets/')) missing.push(response.url())
    })
    await page.addInitScript(RECORD)
  })
  afterAll(async () => {
    await dashboard?.[Symbol.asyncDispose]()
    await site?.[Symbol.asyncDispose]()
  })

  /** Opens a page, and gives its answers, the queries that it names, those of its scripts, and all that were sent. */
  async function load(path: string) {
    const { url } = dashboard.docent
    const html = (await (await page.goto(url + path))?.text()) ?? ''
    const found = (pattern: RegExp) =>
      [...html.matchAll(pattern)].map(([, href = '']) => url + href.replaceAll('&amp;', '&'))
    const [answered, named] = [found(ANSWERED), found(NAMED)]
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(() => page.evaluate<string[]>(UNUSED)).toEqual([])
    return { answered, named, asked: await page.evaluate<string[]>('asked'), sent: [...sent] }
  }

  test.each(SCREENS.map(({ path }) => path))('%s asks only once for what its page names', async (path) => {
    const { answered, named, asked, sent } = await load(path.replace(':slug', slug))
    expect(answered.length + named.length).toBeGreaterThan(1)
    for (const url of [...answered, ...named]) {
      const times = (list: string[]) => list.filter((one) => one === url).length
      expect([url, times(sent)]).toEqual([url, times(asked)])
    }
    const scripts = sent.filter((url) => url.endsWith('.js'))
    expect(scripts).toHaveLength(new Set(scripts).size)
    expect(missing).toEqual([])
  })

  test('sends a signed-in browser every answer with the page, and keeps none of them', async () => {
    const { request } = dashboard.context
    const open = () =>
      request.get(`${dashboard.docent.url}/servers/${slug}/requests`, { headers: { accept: 'text/html' } })
    // On a busy machine, an answer can come too late for the page.
    await expect.poll(async () => [...(await (await open()).text()).matchAll(NAMED)].length).toBe(0)
    const answer = await open()
    expect(answer.headers()).toMatchObject({ 'cache-control': 'no-store', 'content-encoding': 'gzip' })
    expect(answer.headers()).not.toHaveProperty('etag')
  })

  test('puts the filters of the address into the first query', async () => {
    const { answered, named, asked } = await load(`/servers/${slug}/requests?range=7d`)
    expect([...answered, ...named].filter((url) => url.includes('range='))).toEqual([])
    expect(asked.filter((url) => url.endsWith(`/api/analytics/${slug}?range=7d`))).toHaveLength(1)
  })
})
