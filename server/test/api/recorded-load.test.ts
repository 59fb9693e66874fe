import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, test } from 'vitest'
import { type Counts, countSeen, readCounts, startCallLoad } from '../support/mcp/call-load.ts'
import { type Place, makePlace, onSqliteAtLeast } from '../support/database/engines.ts'
import { type ServiceProcess, makeOwner, spawnService } from '../support/service/service-process.ts'
import { page, startSite } from '../support/sites/site.ts'

const CLIENTS = 8
const CALLS = inject('isLong') ? 1_000 : 300
/** The most that a killed service loses. Calls are written twice as often. */
const LOST_MS = 1_000

const environmentOf = ({ database, dataDir }: Place) => ({
  DOCENT_DATA_DIR: dataDir,
  DOCENT_ALLOW_NETWORKS: '127.0.0.0/8',
  DOCENT_RATE_LIMITS: 'off',
  ...(database.engine === 'postgres' ? { DATABASE_URL: database.url } : {}),
})

async function createServer({ url }: ServiceProcess, key: string, source: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ name: 'Loaded', sources: [{ url: source }] })
  const { slug } = (await (await fetch(`${url}/api/mcp/create`, { method: 'POST', headers, body })).json()) as {
    slug: string
  }
  const status = async () =>
    ((await (await fetch(`${url}/api/mcp/${slug}/crawl-next`)).json()) as { status: string }).status
  while ((await status()) === 'crawling') await sleep(50)
  return slug
}

const total = (counts: Counts) => Object.values(counts).reduce((sum, { calls }) => sum + calls, 0)

onSqliteAtLeast('calls under load', (engine) => {
  test('counts calls exactly as their clients saw them, and loses only the last second of a killed service', async () => {
    await using site = await startSite({ '/': page('Home', 'Welcome to this place.') })
    await using place = await makePlace(engine)
    const key = await makeOwner(place)
    let slug = ''
    let counted = 0
    const seen = { kept: 0, all: 0 }
    {
      await using service = await spawnService(environmentOf(place))
      slug = await createServer(service, key, site.url)
      const load = startCallLoad(`${service.url}/api/mcp/${slug}`, { clients: CLIENTS, calls: CALLS })
      await load.ended
      expect(load.unanswered).toBe(0)
      expect(load.answered).toHaveLength(CALLS)
      for (const by of ['client', 'tool'] as const) {
        expect(await readCounts(service.url, key, slug, by)).toEqual(countSeen(load.answered, by))
      }
      const cut = startCallLoad(`${service.url}/api/mcp/${slug}`, { clients: CLIENTS, calls: 1_000_000 })
      await sleep(LOST_MS + 1_000)
      const killedAt = performance.now()
      await service.end('SIGKILL')
      await cut.ended
      expect(cut.unanswered).toBe(CLIENTS)
      seen.kept = CALLS + cut.answered.filter(({ answeredAt }) => answeredAt < killedAt - LOST_MS).length
      seen.all = CALLS + cut.answered.length
    }
    {
      await using service = await spawnService(environmentOf(place))
      counted = total(await readCounts(service.url, key, slug, 'client'))
      expect(total(await readCounts(service.url, key, slug, 'tool'))).toBe(counted)
    }
    expect(seen.kept).toBeGreaterThan(CALLS)
    expect(counted).toBeGreaterThanOrEqual(seen.kept)
    // A call may have been recorded although its answer got lost.
    expect(counted).toBeLessThanOrEqual(seen.all + CLIENTS)
  })
})
