import { type Operation } from '@docent/contract/operation'
import { operations } from '@docent/contract/operations'
import { type Role, includesRole } from '@docent/contract/values/permissions'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { installedBrowser } from '../../server/test/support/lib/installed-browser.ts'
import { disposeAll } from '../../server/test/support/lib/keep-open.ts'
import { sampleOf } from '../../server/test/support/lib/sample-of.ts'
import { SCREENS } from '../src/lib/screen-list.ts'
import { addRows, addServers, addSources } from './fill-account.ts'
import { inspect, readJson } from './inspect.ts'
import { type Dashboard, PASSWORD, claim, openDashboard, testLong } from './open-dashboard.ts'
import { recordCalls } from './record-calls.ts'

const program = installedBrowser()
const ALL = SCREENS.map(({ path }) => path).filter((path) => !/^\/(?:limits|reference|instance)/.test(path))
/** Those with most of the changes. `npm run test:long` presses the buttons of all. */
const MOST = ['/team', '/servers/:slug/settings']
/** They would end the session, or leave the page. */
const LEAVES = /^(?:Sign out|Leave|Sign out everywhere)$/
/** Buttons of a screen to press. Lists repeat those of their first row. */
const MOST_BUTTONS = 25

/** The operation of a request. */
function operationOf(method: string, path: string): Operation | undefined {
  const parts = path.split('/')
  return Object.values<Operation>(operations).find((operation) => {
    const wanted = operation.path.split('/')
    if (operation.method !== method || wanted.length !== parts.length) return false
    return wanted.every((part, index) => part.startsWith('{') || part === parts[index])
  })
}

describe.skipIf(program === null)('screens of members with a role', () => {
  let dashboard: Dashboard
  let slug = ''
  let members = 0
  beforeAll(async () => {
    dashboard = await openDashboard(program ?? '')
    await claim(dashboard)
    await readJson(dashboard.page, '/api/credentials')
    await dashboard.docent.inStore(async (store) => {
      slug = await addServers(store, 9)
      await addSources(store, slug, { sources: 8, pages: 4 })
      await addRows(store, slug, 3)
      const { id } = await store.read
        .selectFrom('servers')
        .select('id')
        .where('slug', '=', slug)
        .executeTakeFirstOrThrow()
      const { id: sourceId } = await store.read
        .selectFrom('sources')
        .select('id')
        .where('serverId', '=', id)
        .executeTakeFirstOrThrow()
      await recordCalls(store, { id, sourceId, url: 'https://manuals.example.com' })
    })
  })
  afterAll(() => disposeAll(dashboard))

  /** A browser of a new member. */
  async function join(role: Role, serverIds?: string[]): Promise<{ context: BrowserContext; page: Page }> {
    const { page, context: owner, docent } = dashboard
    const headers = { origin: docent.url }
    const email = `${role}-${++members}@example.test`
    const made = await owner.request.post(`${docent.url}/api/members/invitations`, {
      headers,
      data: { email, role, ...(serverIds ? { serverIds } : {}) },
    })
    const { link } = (await made.json()) as { link: string }
    const context = await page.context().browser()?.newContext({ locale: 'en-GB', reducedMotion: 'reduce' })
    if (!context) throw new Error('There is no browser')
    const accepted = await context.request.post(`${docent.url}/api/invitations/accept`, {
      headers,
      data: { token: link.split('#')[1], password: PASSWORD },
    })
    expect(accepted.status()).toBe(200)
    return { context, page: await context.newPage() }
  }

  const open = async (page: Page, path: string) => {
    await page.goto(dashboard.docent.url + path.replace(':slug', slug))
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await expect.poll(() => page.locator('.waiting').count()).toBe(0)
  }

  /** Presses what there is to press, and collects the changes that would be asked for. None of them is made. */
  async function pressAll(page: Page): Promise<string[]> {
    const asked: string[] = []
    await page.route('**/api/**', async (route) => {
      const request = route.request()
      if (request.method() === 'GET') return route.continue()
      asked.push(`${request.method()} ${new URL(request.url()).pathname}`)
      return route.fulfill({ status: 500, json: { error: 'internal', message: 'It is not done in this test.' } })
    })
    for (const path of inject('isLong') ? ALL : MOST) {
      await open(page, path)
      for (let index = 0; index < MOST_BUTTONS; index++) {
        const button = page.locator('main button:enabled').nth(index)
        if ((await button.count()) === 0) break
        if (LEAVES.test((await button.innerText()).trim()) || !(await button.isVisible())) continue
        await page.evaluate(FILL)
        await button.dispatchEvent('click')
        const danger = page.locator('dialog[open] .btn.danger')
        if ((await danger.count()) > 0) await danger.first().dispatchEvent('click')
        if ((await page.locator('dialog[open]').count()) > 0) await page.keyboard.press('Escape')
        if (new URL(page.url()).pathname !== path.replace(':slug', slug)) await open(page, path)
      }
    }
    await page.unroute('**/api/**')
    return [...new Set(asked)]
  }

  const refused = (asked: readonly string[], role: Role, isNarrow: boolean) =>
    asked.filter((one) => {
      const [method = '', path = ''] = one.split(' ')
      const operation = operationOf(method, path)
      if (!operation) return true
      const { auth, needs } = operation
      return !includesRole(role, needs?.[0] ?? 'viewer') || (isNarrow && !['key', 'person', 'none'].includes(auth))
    })

  // An owner is refused only what is the operator's, and the others less than an editor of a single server.
  testLong.each(['viewer', 'editor', 'owner'] as const)(
    'offers a member with the role %s only what is allowed',
    async (role) => {
      const { context, page } = await join(role)
      const asked = await pressAll(page)
      expect(refused(asked, role, false)).toEqual([])
      // The buttons were pressed.
      expect(asked.length).toBeGreaterThanOrEqual({ viewer: 0, editor: 6, owner: 9 }[role])
      for (const path of ['/servers/:slug/settings', '/keys']) {
        await open(page, path)
        await inspect(page, `${role}-${path.slice(1).replaceAll('/', '-').replace(':', '')}`)
      }
      await context.close()
    },
  )

  test('offers an editor of one server nothing that is about the account', async () => {
    const { id } = await readJson<{ id: string }>(dashboard.page, `/api/mcp/${slug}`)
    const { context, page } = await join('editor', [id])
    const asked = await pressAll(page)
    expect(refused(asked, 'editor', true)).toEqual([])
    expect(asked.length).toBeGreaterThan(4)
    await context.close()
  })

  test('asks for nothing that is refused on any screen of a viewer or an editor of one server', async () => {
    const { id } = await readJson<{ id: string }>(dashboard.page, `/api/mcp/${slug}`)
    for (const [turn, { context, page }] of [await join('viewer'), await join('editor', [id])].entries()) {
      const refusals: string[] = []
      page.on('response', (response) => {
        if (response.status() >= 400)
          refusals.push(`${new URL(page.url()).pathname}: ${response.status()} ${response.url()}`)
      })
      for (const { path } of sampleOf(SCREENS, turn, 8)) await open(page, path)
      expect(refusals).toEqual([])
      await context.close()
    }
  })

  test('tells a viewer at the address of a screen who may use it, and leaves it out of the menu', async () => {
    const { context, page } = await join('viewer')
    await open(page, '/webhooks')
    await page.getByText('Only an owner of the account can do this').waitFor()
    const menu = await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents()
    expect(menu).toEqual(['Servers', 'Keys', 'Team', 'Analytics', 'Plan', 'Documentation'])
    await context.close()
  })
})

/** Types something into each empty field, so that forms can be sent. */
const FILL = `for (const field of document.querySelectorAll('main input:not([type=checkbox],[type=radio],[type=file],[type=number],[disabled]), main textarea:not([disabled])')) {
  if (field.value !== '' || field.closest('.bar')) continue
  const proto = field.tagName === 'TEXTAREA' ? HTMLTextAreaElement : HTMLInputElement
  const text = field.type === 'email' ? 'a@example.test' : field.type === 'url' ? 'https://docs.example.org/' : 'Prefer the guide for questions about oil.'
  Object.getOwnPropertyDescriptor(proto.prototype, 'value').set.call(field, text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}`
