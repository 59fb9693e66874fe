import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, type BrowserContext, type Page, chromium } from 'playwright-core'
import { inject, test } from 'vitest'
import { createSetupLink } from '@docent/server/auth/accounts.ts'
import { makePlace } from '../../server/test/support/database/engines.ts'
import { freePort } from '../../server/test/support/lib/free-port.ts'
import { type Docent, startDocent } from '../../server/test/support/service/harness.ts'

const root = join(import.meta.dirname, '../..')
export const SCREENSHOTS = join(root, 'dashboard/screenshots')

export const EMAIL = 'mira@example.org'
export const PASSWORD = 'correct horse battery'

/** A test of what screens do beside the main paths: `npm run test:long` runs it, and `npm test` counts it as skipped. */
export const testLong = test.runIf(inject('isLong'))

export type Dashboard = AsyncDisposable & {
  docent: Docent
  context: BrowserContext
  page: Page
  /** Messages of the console and requests to other hosts, which have to stay empty. */
  complaints: string[]
  /** A new setup link. */
  setupLink: () => Promise<string>
  /** Stops the service. Returns a function that starts it again with the same data at the same address. */
  stop: () => Promise<() => Promise<void>>
}

/** One browser for all files that this process runs. It ends with the process. */
let launched: Promise<Browser> | undefined

/** A fresh service with the built dashboard, and a context of a browser with an empty profile in front of it. */
export async function openDashboard(executablePath: string, own: Record<string, string> = {}): Promise<Dashboard> {
  mkdirSync(SCREENSHOTS, { recursive: true })
  const browser = await (launched ??= chromium.launch({ executablePath }))
  const place = await makePlace('sqlite')
  const start = (environment: Record<string, string>) =>
    startDocent({ place, key: 'none', environment: { DOCENT_DASHBOARD: 'on', ...own, ...environment } })
  // A port that no outgoing connection takes between a stop and the next start.
  const port = String(await freePort())
  let docent = await start({ DOCENT_PORT: port })
  const others = browser.contexts()
  const end = async () => {
    const own = browser.contexts().filter((context) => !others.includes(context))
    await Promise.all(own.map((context) => context.close()))
    await docent[Symbol.asyncDispose]()
    await place[Symbol.asyncDispose]()
  }
  try {
    const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC', reducedMotion: 'reduce' })
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    const complaints = listen(page, docent.url)
    return {
      get docent() {
        return docent
      },
      context,
      page,
      complaints,
      setupLink: async () => (await docent.inStore((store) => createSetupLink(store, docent.url))) ?? '',
      async stop() {
        await docent[Symbol.asyncDispose]()
        return async () => {
          docent = await start({ DOCENT_PORT: port })
        }
      },
      [Symbol.asyncDispose]: end,
    }
  } catch (error) {
    await end()
    throw error
  }
}

/** Makes the first account with a setup link, and opens the dashboard with its session. */
export async function claim({ page, setupLink }: Dashboard): Promise<void> {
  await page.goto(await setupLink())
  await page.getByLabel('Email address').fill(EMAIL)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Make the account' }).click()
  await page.getByRole('heading', { name: 'Make your first server' }).waitFor()
}

/** Makes a server with the session of the browser, and waits until it is indexed. Returns its slug. */
export async function makeServer({ page, docent }: Dashboard, name: string, url: string): Promise<string> {
  const body = JSON.stringify({ name, sources: [{ url }] })
  const headers = JSON.stringify({ 'content-type': 'application/json' })
  const { slug } = await page.evaluate<{ slug: string }>(
    `fetch('/api/mcp/create', { method: 'POST', headers: ${headers}, body: ${JSON.stringify(body)} }).then((answer) => answer.json())`,
  )
  // Progress is open to everybody.
  let status = 'crawling'
  while (status === 'crawling') {
    status = (await docent.request('GET', `/api/mcp/${slug}/crawl-next`, undefined, { key: null })).body.status
    await sleep(50)
  }
  return slug
}

function listen(page: Page, own: string): string[] {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    // The browser reports each refused request, which the tests expect where they make one.
    const isRefusal = /status of 4\d\d/.test(message.text())
    if (['error', 'warning'].includes(message.type()) && !isRefusal) complaints.push(message.text())
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(own) && !request.url().startsWith('data:')) complaints.push(request.url())
  })
  return complaints
}
