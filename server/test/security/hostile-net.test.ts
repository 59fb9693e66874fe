import type { ChildProcess } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createNetClient, type NetClient } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import { parseNetworks } from '#net/judge-address.ts'
import { disposeAll } from '../support/lib/keep-open.ts'
import { openCorpus } from '../support/sites/corpora.ts'
import { startHostileSite } from '../support/sites/hostile-site.ts'

const corpus = await openCorpus('hostile-site')

/** Upper bound for memory added to the process; a page may be 16 MiB, compressed and not. */
const MAX_GROWTH = 256 * 1024 * 1024

/** Expected outcome of each trap for the network. The others are traps for parsers. */
const ENDS: Record<string, string | number> = {
  'endless-body': 'too_large',
  'gzip-bomb': 'too_large',
  'br-bomb': 'too_large',
  'lie-gzip': 'decode',
  'unknown-encoding': 'decode',
  'redirect-self': 'redirect_loop',
  'redirect-pingpong': 'redirect_loop',
  'redirect-grow': 'too_many_redirects',
  'redirect-no-location': 302,
  'redirect-private': 'blocked_address',
  'length-huge': 'too_large',
  'length-two': 'protocol',
  'te-and-cl': 'protocol',
  http09: 'protocol',
  'lf-only': 'protocol',
  'continue-flood': 'protocol',
  'early-hints-flood': 'protocol',
  'cookie-flood': 'too_large',
  'always-304': 304,
  'status-429-date': 429,
  'status-401': 401,
  'mcp-sse-endless': 'too_large',
}

describe.skipIf(corpus === null)('hostile site', () => {
  let site: { url: string; process: ChildProcess }
  let net: NetClient
  /** For what would not end in another way. */
  let impatient: NetClient

  beforeAll(async () => {
    site = await startHostileSite(corpus ?? '')
    const config = { allowNetworks: parseNetworks('127.0.0.0/8'), userAgent: 'Docent/0 (test)' }
    net = createNetClient({ ...config, totalMs: 120_000 })
    impatient = createNetClient({ ...config, totalMs: 10_000 })
  })

  afterAll(async () => {
    await disposeAll(net, impatient)
    site.process.kill()
  })

  test(
    'ends every request in bounded time and memory, with an answer or a typed error',
    { timeout: 600_000 },
    async () => {
      const traps: string[] = JSON.parse(new TextDecoder().decode((await net.fetch(`${site.url}/__list`)).bytes))
      expect(traps.length).toBeGreaterThan(50)
      const ends: Record<string, string | number> = {}
      // The others end at the time limit. The crawl of traps tries a sample of them too.
      for (const trap of traps.filter((name) => inject('isLong') || name in ENDS)) {
        const idle = process.memoryUsage.rss()
        let most = 0
        const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss() - idle)), 10)
        ends[trap] = await endOf(trap in ENDS ? net : impatient, `${site.url}/${trap}/`)
        clearInterval(watch)
        expect(most, trap).toBeLessThan(MAX_GROWTH)
      }
      expect(ends).toMatchObject(ENDS)
    },
  )
})

async function endOf(net: NetClient, url: string): Promise<string | number> {
  try {
    return (await net.fetch(url)).status
  } catch (error) {
    if (error instanceof NetError && error.message.length > 10) return error.reason
    throw error
  }
}
