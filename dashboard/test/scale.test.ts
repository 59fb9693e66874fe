import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installedBrowser } from '../../server/test/support/lib/installed-browser.ts'
import { disposeAll } from '../../server/test/support/lib/keep-open.ts'
import { sampleOf } from '../../server/test/support/lib/sample-of.ts'
import { addServers, addSources } from './fill-account.ts'
import { inspect, readJson } from './inspect.ts'
import { type Dashboard, claim, openDashboard, testLong } from './open-dashboard.ts'

const program = installedBrowser()

const WIDE = { width: 1440, height: 900 }
const NARROW = { width: 390, height: 844 }
const SCREENS = 2

describe.skipIf(program === null)('a dashboard with 200 servers, 50 sources and 10,000 pages', () => {
  let dashboard: Dashboard
  let page: Page
  let slug: string
  const open = (path: string) => page.goto(dashboard.docent.url + path)
  const find = (what: string) => page.getByRole('searchbox', { name: what })
  const names = () => page.locator('.catalogue h2').allInnerTexts()

  beforeAll(async () => {
    dashboard = await openDashboard(program ?? '')
    page = dashboard.page
    await claim(dashboard)
    await dashboard.docent.inStore(async (store) => {
      slug = await addServers(store, 200)
      await addSources(store, slug, { sources: 50, pages: 10_000 })
    })
  })
  afterAll(() => disposeAll(dashboard))

  test('lists the newest servers first, in parts, and keeps the part in the address', async () => {
    await open('/servers')
    await page.getByRole('heading', { name: '200 servers' }).waitFor()
    expect((await names())[0]).toBe('Manual 200 of the Größe')
    await inspect(page, 'servers-200')
    await page.getByRole('button', { name: 'Next' }).click()
    await expect.poll(async () => (await names())[0]).toBe('Manual 184')
    expect(page.url()).toContain('page=2')
    await page.reload()
    await expect.poll(async () => (await names())[0]).toBe('Manual 184')
  })

  test('finds servers by words without case and accents, and keeps the search in the address', async () => {
    await open('/servers')
    await find('Find a server').fill('grosse 120')
    await page.getByText('Nothing matches.').waitFor()
    await find('Find a server').fill('GRÖSSE 120')
    await page.getByText('Nothing matches.').waitFor()
    await find('Find a server').fill('größe 120')
    await expect.poll(names).toEqual(['Manual 120 of the Größe'])
    await page.getByText('1 of 200 servers').waitFor()
    expect(new URL(page.url()).searchParams.get('search')).toBe('größe 120')
    await page.reload()
    await expect.poll(names).toEqual(['Manual 120 of the Größe'])
    await find('Find a server').fill('nothing like this')
    await page.getByText('Nothing matches.').waitFor()
    await inspect(page, 'servers-no-match')
    await page.getByRole('button', { name: 'Show all servers' }).click()
    await expect.poll(async () => (await names()).length).toBeGreaterThan(10)
    expect(await find('Find a server').inputValue()).toBe('')
  })

  testLong('filters and sorts servers', async () => {
    await open('/servers')
    await page.getByLabel('Public and private').selectOption('private')
    await page.getByText('40 of 200 servers').waitFor()
    await page.getByLabel('Every state').selectOption('error')
    await page.getByText('5 of 200 servers').waitFor()
    await page.getByLabel('Order').selectOption('name')
    await expect.poll(async () => (await names())[0]).toBe('Manual 35')
    expect(page.url()).toContain('visibility=private&state=error&sort=name')
  })

  const lists = [
    ['/servers', '.catalogue'],
    ['/analytics', '.table'],
    ['/servers/:slug', '.src'],
    ['/servers/:slug/settings', '.settings-list'],
    ['/servers/:slug/pages', '.table'],
    ['/plan', '.table'],
    ['/widgets', '#builder .choices'],
    ['/servers/:slug/widget', '.subchoices'],
  ] as const
  test.each(sampleOf(lists, 0, 4))(
    'shows at most two screens of the list on %s before it goes on elsewhere',
    async (path, selector) => {
      for (const size of [WIDE, NARROW]) {
        await page.setViewportSize(size)
        await open(path.replace(':slug', slug))
        await page.locator(selector).first().waitFor({ state: 'attached' })
        const all = await page
          .locator(selector)
          .evaluateAll((lists) => lists.map((list) => list.getBoundingClientRect().height))
        expect({ path, ...size, heights: all.filter((height) => height > SCREENS * size.height) }).toMatchObject({
          heights: [],
        })
      }
      await page.setViewportSize(WIDE)
    },
  )

  testLong('finds, filters and sorts 50 sources, the newest first', async () => {
    await open(`/servers/${slug}`)
    const first = () => page.locator('.src h3').first().innerText()
    await page.locator('.src h3').first().waitFor()
    expect(await first()).toContain('Part 200')
    await inspect(page, 'overview-50-sources')
    await find('Find a source').fill('part 33')
    await expect.poll(() => page.locator('.src h3').count()).toBe(1)
    expect(page.url()).toContain('sources-search=part+33')
    await open(`/servers/${slug}/settings?sources-state=error`)
    await page.getByText('7 of 50 sources').waitFor()
  })

  test('finds pages among 10,000, by title, state and reason', async () => {
    await open(`/servers/${slug}/pages`)
    await page.getByText('10,000 pages').waitFor()
    expect(await page.locator('tbody a').first().innerText()).toContain('Chapter 0:')
    await inspect(page, 'pages-10000')
    await find('Find a page').fill('chapter 9990')
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
    expect(page.url()).toContain('search=chapter+9990')
    await find('Find a page').fill('')
    await page.getByLabel('State').selectOption('failed')
    await page.getByText('1,666 pages').waitFor()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('2 of 67').waitFor()
    expect(page.url()).toContain('state=failed&page=2')
    await find('Find a page').fill('zebra')
    await page.getByText('Nothing matches.').waitFor()
    await page.getByRole('button', { name: 'Show all pages' }).click()
    await page.getByText('10,000 pages').waitFor()
  })

  testLong('says what links to a page, and what can be done with it', async () => {
    await open(`/servers/${slug}/pages?search=chapter-9990`)
    await page.getByRole('button', { name: /^More about Chapter 9990/ }).click()
    await page.getByText('No indexed page links to it in its text.').waitFor()
    await page.getByRole('button', { name: /^Read again/ }).waitFor()
    await page.getByRole('button', { name: 'Leave out' }).click()
    await inspect(page, 'page-leave-out')
    await page.locator('dialog').getByRole('button', { name: 'Keep it' }).click()
  })

  testLong('chooses a server of a widget by a part of its name, by keyboard', async () => {
    await open('/widgets')
    const field = page.getByRole('combobox', { name: 'Add a server' })
    await field.focus()
    await page.keyboard.type('größe 80')
    await page.getByRole('option', { name: /Manual 80/ }).waitFor()
    await inspect(page, 'widget-choose-server')
    await page.keyboard.press('Enter')
    await page.getByRole('checkbox', { name: /Manual 80/ }).waitFor()
    await field.focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('#builder .choices > li').count()).toBe(2)
    await field.focus()
    await page.keyboard.type('nobody')
    await page.getByText('No server has this name.').waitFor()
    await page.keyboard.press('Escape')
    expect(await field.inputValue()).toBe('')
  })

  testLong('asks before another part of a list replaces a form that is not saved', async () => {
    await open(`/servers/${slug}/settings`)
    await page.getByRole('button', { name: 'Change' }).first().click()
    await page.getByLabel('Display name').fill('The first part')
    const pager = page.getByRole('navigation', { name: 'Parts of the list of sources' })
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
    await pager.getByRole('button', { name: 'Next' }).click()
    await dialog.getByRole('button', { name: 'Stay here' }).click()
    expect(await page.getByLabel('Display name').inputValue()).toBe('The first part')
    await page.getByLabel('Order').selectOption('name')
    await dialog.getByRole('button', { name: 'Stay here' }).click()
    expect(await page.getByLabel('Order').inputValue()).toBe('')
    await pager.getByRole('button', { name: 'Next' }).click()
    await dialog.getByRole('button', { name: 'Leave' }).click()
    await pager.getByText('2 of 3').waitFor()
    // A form elsewhere on the page stays as it is.
    await page.getByLabel('Description').fill('All parts.')
    await pager.getByRole('button', { name: 'Next' }).click()
    await pager.getByText('3 of 3').waitFor()
    expect(await page.getByLabel('Description').inputValue()).toBe('All parts.')
  })

  testLong('says what is wrong with a widget at its field, and asks before it shows a private server', async () => {
    await open('/widgets?configuration=new')
    const save = page.getByRole('button', { name: 'Save the widget' })
    await page.getByLabel('Domain').fill('no domain')
    await save.click()
    const domain = page.getByRole('textbox', { name: 'Domain', description: /Must be a domain such as/ })
    await domain.and(page.locator(':focus')).waitFor()
    await domain.fill('docs.example.com')
    await page.getByLabel('Buttons on dark pages', { exact: true }).fill('12')
    await save.click()
    await page.getByRole('textbox', { name: 'Buttons on dark pages', description: /darkPrimary/ }).waitFor()
    await inspect(page, 'widget-wrong-color')
    await page.getByLabel('Buttons on dark pages', { exact: true }).fill('')

    await page.getByRole('combobox', { name: 'Add a server' }).fill('manual 195')
    await page.getByRole('option', { name: /Manual 195/ }).click()
    await save.click()
    const dialog = page.getByRole('dialog', { name: 'Let visitors read a private server?' })
    await dialog.getByText('Manual 195').waitFor()
    await inspect(page, 'widget-private')
    await dialog.getByRole('button', { name: 'Keep it private' }).click()
    expect(await readJson<unknown[]>(page, '/api/configurations')).toEqual([])
    await save.click()
    await dialog.getByRole('button', { name: 'Save and let them' }).click()
    await page.getByRole('button', { name: 'Copy the code of the widget' }).waitFor()
    // It is shown already.
    await page.getByLabel('Font').fill('Georgia')
    await save.click()
    await page.getByText('Saved. Pages show it').waitFor()
  })

  testLong('makes an API key for one of 200 servers', async () => {
    await open('/keys')
    await page.getByLabel('Name', { exact: true }).fill('For one')
    await page.getByRole('combobox', { name: 'Sees' }).fill('manual 77')
    await page.getByRole('option', { name: /Manual 77/ }).click()
    await page.getByRole('button', { name: 'Make a key' }).click()
    await page.getByRole('cell', { name: 'Manual 77' }).waitFor()
  })

  test('logs nothing to the browser console', () => {
    expect(dashboard.complaints).toEqual([])
  })
})
