import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installedBrowser } from '../../server/test/support/lib/installed-browser.ts'
import { disposeAll } from '../../server/test/support/lib/keep-open.ts'
import { page as html, type Site, startSite } from '../../server/test/support/sites/site.ts'
import { inspect } from './inspect.ts'
import { type Dashboard, claim, makeServer, openDashboard, testLong } from './open-dashboard.ts'

const program = installedBrowser()

const CARE = `<!doctype html><html lang="en"><head><title>Care</title></head><body><main><h1>Care</h1>
<p>What a machine needs.</p><h2 id="drops">Drops</h2><p>Twice a year, give each tooth three drops of thin oil.</p>
<pre><code>sprocket care --oil</code></pre><h2 id="dust">Dust</h2><p>Wipe it with a cloth.</p></main></body></html>`
const PAGES = {
  '/': html('Sprocket manual', 'A sprocket drives the chain of a machine.', ['/legacy/oiling', '/care']),
  '/legacy/oiling': html('How often to oil a sprocket', 'Oil a sprocket every week. You often oil each sprocket.'),
  '/care': CARE,
}
const QUESTION = 'How often do I oil a sprocket?'

describe.skipIf(program === null)('pins in the dashboard', () => {
  let dashboard: Dashboard
  let site: Site
  let page: Page
  let slug: string
  const open = (path: string) => page.goto(dashboard.docent.url + path)
  const ask = async (): Promise<string> =>
    (await dashboard.docent.callTool(slug, 'ask_question', { question: QUESTION })).result.content[0].text
  const untilIndexed = () =>
    expect
      .poll(
        async () =>
          (await dashboard.docent.request('GET', `/api/mcp/${slug}/crawl-next`, undefined, { key: null })).body.status,
      )
      .not.toBe('crawling')
  const mend = () => page.getByRole('region', { name: 'A pin for this question' })

  beforeAll(async () => {
    site = await startSite(PAGES)
    dashboard = await openDashboard(program ?? '')
    page = dashboard.page
    await claim(dashboard)
    slug = await makeServer(dashboard, 'Sprockets', `${site.url}/`)
    await ask()
    await dashboard.docent.callTool(slug, 'search_docs', { query: 'oil sprockets often' })
  })
  afterAll(() => disposeAll(dashboard, site))

  test('mends the answer of a request with a section, in four clicks', async () => {
    await open(`/servers/${slug}/requests`)
    const request = page.getByRole('button', { name: QUESTION })
    await request.waitFor()
    await page.evaluate("window.clicks = 0; addEventListener('click', () => window.clicks++, true)")
    await request.click()
    await page.getByRole('button', { name: 'Choose the section that answers it' }).click()
    await mend().getByText('Care › Drops').waitFor()
    await inspect(page, 'pin-choose')
    await mend().getByRole('button', { name: 'Choose this section: Care › Drops' }).click()
    await mend().locator('.answers', { hasText: 'three drops of thin oil' }).first().waitFor()
    await mend().getByText('1 other request of the log would get another answer.').waitFor()
    await inspect(page, 'pin-preview')
    await mend().getByRole('button', { name: 'Save the pin' }).click()
    await mend().getByText('The pin is saved.').waitFor()
    expect(await page.evaluate('window.clicks')).toBe(4)
    await inspect(page, 'pin-saved')
    expect(await ask()).toMatch(/^## Drops\n\nTwice a year/)
  })

  test('takes a saved pin back', async () => {
    await mend().getByRole('button', { name: 'Undo' }).press('Enter')
    await mend().getByText('The pin is taken back.').waitFor()
    await mend().getByRole('button', { name: 'Save the pin' }).waitFor()
    expect(await ask()).toContain('every week')
  })

  test('leaves a section out from the playground, and lists the pin', async () => {
    await open(`/servers/${slug}/playground?${new URLSearchParams({ question: QUESTION })}`)
    await page.getByRole('button', { name: /^Not for this question: How often to oil/ }).click()
    await mend().locator('.answers').first().waitFor()
    await inspect(page, 'pin-never')
    await mend().getByRole('button', { name: 'Save the pin' }).click()
    await mend().getByRole('link', { name: 'See all pins' }).click()
    const pin = page.locator('#pins .rules > li')
    await pin.getByText('How often to oil a sprocket is left out').waitFor()
    expect(await ask()).not.toContain('every week')
    await inspect(page, 'pins')
  })

  testLong('marks a pin whose section is gone', async () => {
    site.pages.set('/', html('Sprocket manual', 'A sprocket drives the chain.', ['/care']))
    site.pages.delete('/legacy/oiling')
    for (let round = 0; round < 2; round++) {
      await page.evaluate(`fetch('/api/mcp/${slug}/crawl', { method: 'POST' })`)
      await untilIndexed()
    }
    await expect
      .poll(async () => {
        await page.reload()
        return page.locator('#pins .rules > li').first().innerText()
      })
      .toContain('Stale: the section is gone')
    await inspect(page, 'pins-stale')
  })

  test('deletes a pin, and says where to make one', async () => {
    await page.locator('#pins').getByRole('button', { name: 'Delete' }).click()
    await page.locator('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('There is no pin yet.').waitFor()
  })

  testLong('says that no pin can help if the sources do not have the words', async () => {
    await open(`/servers/${slug}/playground?${new URLSearchParams({ question: 'How do I fly a zeppelin?' })}`)
    await page.getByRole('button', { name: 'Choose the section that answers it' }).click()
    await mend().locator('.nb', { hasText: 'Nothing in the sources has a word of this question' }).waitFor()
    await mend().getByLabel('Search the sections').fill('https://elsewhere.example/page')
    await mend().getByLabel('Search the sections').press('Enter')
    await mend().getByText('No indexed page of this server has this section.').waitFor()
    await inspect(page, 'pin-no-help')
  })

  test('logs nothing to the browser console', () => {
    expect(dashboard.complaints).toEqual([])
  })
})
