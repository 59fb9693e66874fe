import { parseArgs } from 'node:util'
import type { Browser, BrowserContext } from 'playwright-core'
import { openBrowser } from '../../../server/test/support/lib/widget-page.ts'
import { ensureBuilds } from '../../../scripts/launch/builds.mjs'
import { watchCrawl } from './dashboard-crawl.ts'
import { measureScreens } from './dashboard-screens.ts'
import { connect } from '#service/docent-client.ts'
import { ACCOUNT, startService } from '#service/start-service.ts'
import { UsageError } from '#lib/usage-error.ts'
import { addManyServers } from '../management/many-servers.ts'
import { measureWidget } from './widget-answers.ts'

/** They fill the request log, and fit any documentation. */
const SEARCHES = ['how to install', 'getting started guide', 'configuration file options', 'environment variables']

/**
 * Speed of the dashboard and the widget in Chromium: `npm run bench -- dashboard --site URL`. Watches a server while it
 * is indexed, then loads the main screens over a slow network, then asks in a widget. With `--servers N`, the account has
 * so many other servers.
 */
export async function run(args: string[]): Promise<Record<string, unknown>> {
  const { values } = parseArgs({
    args,
    options: { site: { type: 'string' }, servers: { type: 'string', default: '0' } },
  })
  if (!values.site) throw new UsageError('Name the site with --site URL.')
  await ensureBuilds(`${import.meta.dirname}/../../..`, process.execPath)
  await using browser = await openBrowser()
  if (browser === null) throw new Error('There is no Chromium on PATH.')
  const others = Number(values.servers)
  await using service = await startService({ prepare: (dataDir) => addManyServers(dataDir, others) })
  await using context = await signIn(browser, service.url)
  const client = connect(service)
  const { serverId, slug } = await client.createServer(values.site)
  const crawl = await watchCrawl({ context, client, serverId, address: `${service.url}/servers/${slug}` })
  for (const query of SEARCHES) await client.search(slug, query)
  const session = await context.storageState()
  return {
    site: values.site,
    otherServers: others,
    crawl,
    screens: await measureScreens({ browser, session, url: service.url, slug }),
    widget: await measureWidget({ browser, context, url: service.url, serverId }),
  }
}

async function signIn(browser: Browser, url: string): Promise<BrowserContext> {
  const context = await browser.newContext()
  const answer = await context.request.post(`${url}/api/sessions`, { data: ACCOUNT, headers: { origin: url } })
  if (!answer.ok()) throw new Error(`Signing in answered ${answer.status()}: ${await answer.text()}`)
  return context
}
