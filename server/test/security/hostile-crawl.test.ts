import { describe, expect, test } from 'vitest'
import { sampleOf } from '../support/lib/sample-of.ts'
import { openCorpus } from '../support/sites/corpora.ts'
import { startHostileSite } from '../support/sites/hostile-site.ts'
import { springTraps } from '../support/service/spring-traps.ts'
import { startTrapSite } from '../support/sites/trap-site.ts'

const corpus = await openCorpus('hostile-site')

/** Upper bound for the memory that one source may add to the idle service. */
const MAX_GROWTH_MB = 256

describe('source that is a crawl trap', () => {
  test('ends in bounded time and memory, however much it generates', { timeout: 900_000 }, async () => {
    await using site = await startTrapSite()
    const { problems, growthMb, storedMb } = await springTraps(site.url, sampleOf(site.traps, 0, 16))
    expect(problems).toEqual([])
    // Pages with a long base address take 310 MB alone, and two traps are read at a time.
    expect(Math.round(growthMb)).toBeLessThan(2 * MAX_GROWTH_MB)
    // Total of all traps, seen at 246 to 305, depending on how many pages a machine reads in time. One alone used to
    // store 700 MB in a minute.
    expect(storedMb).toBeLessThan(400)
  })

  test.skipIf(corpus === null)(
    'ends in bounded time and memory, with pages or an error sentence',
    { timeout: 900_000 },
    async () => {
      const site = await startHostileSite(corpus ?? '')
      const traps = (await (await fetch(`${site.url}/__list`)).json()) as string[]
      expect(traps.length).toBeGreaterThan(50)
      const { problems, growthMb } = await springTraps(site.url, sampleOf(traps, 1, 16))
      site.process.kill()
      expect(problems).toEqual([])
      // Two traps are read at a time, and the heap grows further on a busy machine before it is collected: 259 were seen.
      expect(Math.round(growthMb)).toBeLessThan(2 * MAX_GROWTH_MB)
    },
  )
})
