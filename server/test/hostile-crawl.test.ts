import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { residentMb } from '../../bench/src/read-process.ts'
import { openCorpus } from './corpora.ts'
import { makePlace } from './engines.ts'
import { startHostileSite } from './hostile-site.ts'
import { makeOwner, spawnService } from './service-process.ts'

const corpus = await openCorpus('hostile-site')

/** What any one source may take, and what it may add to the memory of the idle service. */
const MAX_SECONDS = 60
const MAX_GROWTH_MB = 256

describe.skipIf(corpus === null)('a source that is a trap', () => {
  test('ends in time and within its memory, with pages or with a sentence', { timeout: 600_000 }, async () => {
    const site = await startHostileSite(corpus ?? '')
    await using place = await makePlace('sqlite')
    const key = await makeOwner(place)
    await using service = await spawnService({
      DOCENT_DATA_DIR: place.dataDir,
      DOCENT_ALLOW_NETWORKS: '127.0.0.0/8',
      DOCENT_RATE_LIMITS: 'off',
    })
    const ask = async (method: string, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const send = () => fetch(service.url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
      // On a busy machine a kept connection may be used in the moment in which it is closed; a service that has died
      // refuses the second try as well.
      const response = await send().catch(send)
      return (await response.json()) as any
    }
    const memory = () => residentMb(service.pid)
    const traps = (await (await fetch(`${site.url}/__list`)).json()) as string[]
    const idle = memory()
    let most = 0

    const spring = async (trap: string) => {
      const { slug } = await ask('POST', '/api/mcp/create', {
        name: trap,
        sources: [{ url: `${site.url}/${trap}/`, type: 'docs' }],
      })
      const begun = performance.now()
      let status = 'crawling'
      for (; status === 'crawling'; await sleep(50)) {
        most = Math.max(most, memory() - idle)
        if (performance.now() - begun > MAX_SECONDS * 1000) return `${trap}: still going`
        status = (await ask('GET', `/api/mcp/${slug}/crawl-next`)).status
      }
      const [source] = (await ask('GET', `/api/mcp/${slug}`)).sources
      const { pagesDiscovered, pagesIndexed, pagesSkipped, pagesFailed } = source
      if (pagesDiscovered !== pagesIndexed + pagesSkipped + pagesFailed) return `${trap}: pages unaccounted for`
      if (source.crawlStatus === 'complete') return pagesIndexed > 0 ? [] : `${trap}: complete without a page`
      return /[^.]\.$/.test(source.crawlError) ? [] : `${trap}: ${source.crawlError}`
    }
    const problems: string[] = []
    const lane = async () => {
      for (let trap = traps.shift(); trap; trap = traps.shift()) problems.push(...[await spring(trap)].flat())
    }
    expect(traps.length).toBeGreaterThan(50)
    await Promise.all([lane(), lane()])
    site.process.kill()
    expect(problems).toEqual([])
    expect(Math.round(most)).toBeLessThan(MAX_GROWTH_MB)
  })
})
