import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { residentMb } from '../../../../bench/src/service/read-process.ts'
import { makePlace } from '../database/engines.ts'
import { makeOwner, spawnService } from './service-process.ts'

/**
 * Upper bound for one source on a shared test machine. Alone the limit is 60 seconds, as measured by `npm run bench --
 * hostile`.
 */
const MAX_SECONDS = 180

type Sprung = {
  /** Violations, a sentence each. */
  problems: string[]
  /** Memory growth over the idle service. */
  growthMb: number
  /** Seconds of each trap. */
  seconds: Record<string, number>
  /** Bytes of the database at the end. */
  storedMb: number
}

/** Total bytes of the files in a folder. */
function sizeOf(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}

/** Makes a service index each trap of a site at `url`, two at a time, and checks the outcome. */
export async function springTraps(url: string, traps: readonly string[]): Promise<Sprung> {
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
    // On a busy machine a kept connection may be closed at the moment it is used. A dead service refuses the retry as
    // well.
    const response = await send().catch(send)
    return (await response.json()) as any
  }
  const memory = () => residentMb(service.pid)
  const idle = memory()
  const result: Sprung = { problems: [], growthMb: 0, seconds: {}, storedMb: 0 }

  const spring = async (trap: string): Promise<string | null> => {
    const { slug } = await ask('POST', '/api/mcp/create', {
      name: trap,
      sources: [{ url: `${url}/${trap}/`, type: 'docs' }],
    })
    const begun = performance.now()
    let status = 'crawling'
    for (; status === 'crawling'; await sleep(50)) {
      result.growthMb = Math.max(result.growthMb, memory() - idle)
      result.seconds[trap] = Math.round((performance.now() - begun) / 100) / 10
      if (performance.now() - begun > MAX_SECONDS * 1000) return `${trap}: still going`
      status = (await ask('GET', `/api/mcp/${slug}/crawl-next`)).status
    }
    const [source] = (await ask('GET', `/api/mcp/${slug}`)).sources
    const { pagesDiscovered, pagesIndexed, pagesSkipped, pagesFailed } = source
    if (pagesDiscovered !== pagesIndexed + pagesSkipped + pagesFailed) return `${trap}: pages unaccounted for`
    if (source.crawlStatus === 'complete') return pagesIndexed > 0 ? null : `${trap}: complete without a page`
    return /[^.]\.$/.test(source.crawlError) ? null : `${trap}: ${source.crawlError}`
  }
  const left = [...traps]
  const lane = async () => {
    for (let trap = left.shift(); trap; trap = left.shift()) {
      const problem = await spring(trap)
      if (problem !== null) result.problems.push(problem)
    }
  }
  await Promise.all([lane(), lane()])
  result.storedMb = Math.round(sizeOf(place.dataDir) / 1e6)
  return result
}
