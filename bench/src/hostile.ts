import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startHostileSite } from '../../server/test/hostile-site.ts'
import { connect, type DocentClient } from './docent-client.ts'
import { untilDone } from './index-site.ts'
import { startService } from './start-service.ts'
import { UsageError } from './usage-error.ts'

const QUERIES = ['configuration options', 'how to handle errors', 'getting started', 'plugin hooks']
const PAUSE_MS = 10

/**
 * What traps cost others: `npm run bench -- hostile --site URL --traps FOLDER`, where the folder has the `server.mjs` of
 * a site of traps. A crawl of the site and searches beside it, first by themselves, then with two traps at a time.
 */
export async function run(args: string[]): Promise<Record<string, unknown>> {
  const { values } = parseArgs({ args, options: { site: { type: 'string' }, traps: { type: 'string' } } })
  const { site, traps: folder } = values
  if (!site || !folder)
    throw new UsageError('Name the site with --site URL, and the folder of traps with --traps FOLDER.')
  await using service = await startService()
  const client = connect(service)
  const { slug, seconds: first } = await crawl(client, site)
  const [{ seconds: alone }, searchAlone] = await beside(client, slug, crawl(client, site))
  const hostile = await startHostileSite(folder)
  const traps = (await (await fetch(`${hostile.url}/__list`)).json()) as string[]
  const over = new AbortController()
  const lane = async () => {
    for (let trap = traps.shift(); trap && !over.signal.aborted; trap = traps.shift())
      await crawl(client, `${hostile.url}/${trap}/`)
  }
  const lanes = [lane(), lane()]
  const crawling = crawl(client, site).finally(() => over.abort())
  const [{ seconds: withTraps }, searchWithTraps] = await beside(client, slug, crawling)
  await Promise.all(lanes)
  hostile.process.kill()
  return {
    crawlSeconds: { first, alone, withTraps },
    searchMs: { alone: searchAlone, withTraps: searchWithTraps },
    trapsLeft: traps.length,
  }
}

async function crawl(client: DocentClient, url: string): Promise<{ slug: string; seconds: number }> {
  const started = performance.now()
  const { serverId, slug } = await client.createServer(url)
  await untilDone(client, serverId)
  return { slug, seconds: Math.round(performance.now() - started) / 1000 }
}

/** Searches one after the other while work goes on. */
async function beside<T>(client: DocentClient, slug: string, work: Promise<T>) {
  const over = new AbortController()
  const working = work.finally(() => over.abort())
  const times: number[] = []
  while (!over.signal.aborted) {
    const started = performance.now()
    await client.search(slug, QUERIES[times.length % QUERIES.length] ?? '')
    times.push(performance.now() - started)
    await sleep(PAUSE_MS)
  }
  times.sort((a, b) => a - b)
  const percentile = (part: number) =>
    Math.round(10 * (times[Math.min(times.length - 1, Math.floor(part * times.length))] ?? 0)) / 10
  return [
    await working,
    { searches: times.length, p50: percentile(0.5), p99: percentile(0.99), most: percentile(1) },
  ] as const
}
