import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installedBrowser } from '../../server/test/support/lib/installed-browser.ts'
import { disposeAll } from '../../server/test/support/lib/keep-open.ts'
import { page as html, type Site, startSite } from '../../server/test/support/sites/site.ts'
import { type Dashboard, EMAIL, PASSWORD, openDashboard, testLong } from './open-dashboard.ts'

const program = installedBrowser()
const setting = (name: string, text: string) => `<h2 id="${name}"><code>${name}</code></h2><p>${text}</p>`
const PAGES = {
  '/': html('Sprocket manual', 'A sprocket drives the chain of a machine.', ['/oil', '/teeth', '/settings']),
  '/oil': html('Oiling', 'Oil every sprocket twice a year, with three drops of thin oil on each tooth.'),
  '/teeth': html('Teeth', 'A sprocket has between nine and fifty teeth. Count the teeth before you order a chain.'),
  '/settings': `<!doctype html><html lang="en"><head><title>Settings</title></head><body><main><h1>Settings</h1>
${setting('oil_limit', 'How often a tooth is oiled before the machine stops. Default: 5.')}
${setting('chain_size', 'How many links the chain of the machine has. Default: 1000.')}
${setting('log_level', 'Which events are written to the log. Default: info.')}
${setting('stop_timeout', 'How long the machine may take to stop. Default: 30 s.')}</main></body></html>`,
}
const QUESTION = 'How many drops of oil does a sprocket need?'

/** Stops of the Tab key on the longest screen. */
const MOST_STOPS = 120
/** What a screen reader calls the focused element, and whether it can be seen that it has the focus. */
const FOCUSED = `(() => {
  const one = document.activeElement
  const label = one.labels?.[0]?.innerText
  const { outlineStyle, boxShadow, borderColor } = getComputedStyle(one)
  return {
    tag: one.tagName.toLowerCase(),
    name: (one.getAttribute('aria-label') ?? label ?? one.innerText ?? '').replaceAll(/\\s+/g, ' ').trim(),
    isShown: one.matches(':focus-visible') && (outlineStyle !== 'none' || boxShadow !== 'none' || borderColor !== ''),
  }
})()`

/** The journeys of a person, without a pointer. */
describe.skipIf(program === null)('the dashboard by keyboard', () => {
  let dashboard: Dashboard
  let site: Site
  let page: Page
  const heading = (name: string | RegExp, level = 1) => page.getByRole('heading', { name, level }).first().waitFor()

  /** Presses Tab until an element with this name has the focus, which has to be visible. */
  async function reach(name: string | RegExp, tag = ''): Promise<void> {
    const passed: string[] = []
    for (let stop = 0; stop < MOST_STOPS; stop++) {
      const focused = await page.evaluate<{ tag: string; name: string; isShown: boolean }>(FOCUSED)
      const isNamed = typeof name === 'string' ? focused.name === name : name.test(focused.name)
      if (isNamed && (tag === '' || focused.tag === tag)) {
        if (stop > 0) expect(focused).toMatchObject({ isShown: true })
        return
      }
      passed.push(focused.name.slice(0, 30))
      await page.keyboard.press('Tab')
    }
    throw new Error(`The Tab key does not reach ${String(name)}, but: ${passed.join(' | ')}`)
  }
  const press = async (name: string | RegExp, tag = '') => {
    await reach(name, tag)
    await page.keyboard.press('Enter')
  }
  const type = async (name: string | RegExp, text: string) => {
    await reach(name)
    await page.keyboard.press('Control+a')
    await page.keyboard.type(text)
  }
  const goTo = async (text: string) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type(text)
    await page.locator('.goto [role=option]').first().waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }

  beforeAll(async () => {
    site = await startSite(PAGES)
    dashboard = await openDashboard(program ?? '')
    page = dashboard.page
  })
  afterAll(() => disposeAll(dashboard, site))

  test('makes the account, a live server, and asks it', async () => {
    await page.goto(await dashboard.setupLink())
    await page.getByLabel('Email address').waitFor()
    await type('Email address', EMAIL)
    await type(/^Password/, PASSWORD)
    await press('Make the account')
    await heading('Make your first server')
    await type(/^Address/, `${site.url}/`)
    await type(/^Name/, 'Sprockets')
    await press('Make the server')
    await heading('Sprockets')
    await page.getByText('4 of 4 pages').first().waitFor()
    // Its pages can be searched a moment later.
    await page.locator('.src').getByText('Ready').waitFor()
    await press(/^Open the playground/)
    await heading('Try a tool', 2)
    await type(/^question/, QUESTION)
    await page.keyboard.press('Control+Enter')
    await page.getByText('three drops of thin oil').first().waitFor()
  })

  testLong('mends a bad answer with a pin', async () => {
    await dashboard.docent.callTool('sprockets', 'ask_question', { question: QUESTION })
    await goTo('sprockets: requests')
    // A question without an answer is also a link above the log.
    await press(new RegExp(QUESTION.slice(0, 20)), 'button')
    await heading(/^What it read/, 3)
    await press('Choose the section that answers it')
    await press(/^Choose this section: Oiling/)
    await press('Save the pin')
    await page.getByText('The pin is saved.').waitFor()
  })

  testLong('builds a custom tool', async () => {
    await goTo('sprockets: tools')
    await type('What the tool should do', 'Look up a setting by its name and explain what it does, with its default.')
    await press('Build the tool')
    await page.getByRole('button', { name: 'Add it to this server and try it' }).waitFor()
    await press('Add it to this server and try it')
    await heading('Try a tool', 2)
  })

  testLong('saves a widget', async () => {
    await goTo('sprockets: widget')
    await type('Domain', 'docs.example.com')
    await press('Save the widget')
    await page.getByText('Saved. Pages show it from their next view on.').waitFor()
    await reach(/^Copy/)
  })

  testLong('makes a server private, and gets its token', async () => {
    await goTo('sprockets: settings')
    await press('Make it private')
    await page.locator('.secret code').waitFor()
    await press('I have it')
    await page.getByText('Private: only callers with an access token.').waitFor()
  })

  testLong('connects a client with a token that is made on the copy, and sees its first call', async () => {
    await dashboard.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.keyboard.press('Home')
    await press('Connect a client')
    await heading('Try a tool', 2)
    await press('Cursor', 'button')
    await press('Claude Code', 'button')
    await press('Use an access token instead')
    await press('Copy with a new token')
    await page.locator('.cmd .tk', { hasText: 'dat_' }).waitFor()
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    expect(copied).toMatch(/^claude mcp add .*\/api\/mcp\/sprockets .*Bearer dat_\w+/)
    await page.getByText('Waiting for the client').waitFor()
    await page.waitForResponse((response) => response.url().includes('/summary'))
    const headers = { authorization: /Bearer dat_\w+/.exec(copied)?.[0] ?? '' }
    await dashboard.docent.callTool('sprockets', 'ask_question', { question: QUESTION }, headers)
    await page.getByText('Connected: the first call came').waitFor()
  })

  testLong('deletes a server and restores it', async () => {
    await goTo('sprockets: settings')
    await press('Delete the server')
    await page.getByRole('dialog').waitFor()
    await press('Delete the server')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await goTo('deleted servers')
    await heading('Deleted servers')
    await press('Restore Sprockets')
    await heading('Sprockets')
  })
})
