import { beforeEach, expect, test } from 'vitest'
import { createPacer } from '#net/pacing.ts'
import { createTestNet, keepOpen } from '../../test/support/lib/keep-open.ts'
import { startSite } from '../../test/support/sites/site.ts'
import { type OutsideLimits, fetchOutsideFiles } from './api-description.ts'

const PARSE = { memoryMb: 256, killAfterMs: 20_000 }

const net = await keepOpen(createTestNet())
// Each file references the next, and all have the same length.
const pages = [1, 2, 3].map((n) => [`/${n}.json`, JSON.stringify({ $ref: `${n + 1}.json` })])
const site = await keepOpen(startSite({ ...Object.fromEntries(pages), '/4.json': '{"last": "file"} ' }))
beforeEach(() => {
  site.requests.length = 0
})

async function fetchFrom(refs: string[], limits: Partial<OutsideLimits>): Promise<string[]> {
  using pacer = createPacer()
  const deps = { net, pacer, signal: AbortSignal.timeout(30_000) }
  const url = `${site.url}/root.json`
  const urls = refs.map((ref) => new URL(ref, url).href)
  const files = await fetchOutsideFiles(deps, { url, urls }, PARSE, limits)
  return files.map((file) => file.url.slice(site.url.length)).toSorted()
}

const ALL = ['/1.json', '/2.json', '/3.json', '/4.json']
const BYTES = 17

test.each<[string, Partial<OutsideLimits>, string[]]>([
  ['enough files', { files: 4 }, ALL],
  ['too few files', { files: 3 }, ALL.slice(0, 3)],
  ['enough bytes', { bytes: 4 * BYTES }, ALL],
  ['too few bytes', { bytes: 4 * BYTES - 1 }, ALL.slice(0, 3)],
  ['enough rounds', { rounds: 4 }, ALL],
  ['too few rounds', { rounds: 3 }, ALL.slice(0, 3)],
  ['no time', { allMs: -1 }, []],
])('fetches a chain of references within limits: %s', async (_, limits, expected) => {
  expect(await fetchFrom(['1.json'], limits)).toEqual(expected)
})

test('omits a file that times out, and returns the others', async () => {
  site.pages.set('/slow.json', () => undefined)
  expect(await fetchFrom(['slow.json', '4.json'], { fileMs: 100 })).toEqual(['/4.json'])
})
