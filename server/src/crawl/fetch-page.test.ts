import { expect, test } from 'vitest'
import type { NetResponse } from '#net/client.ts'
import { createPacer } from '#net/pacing.ts'
import { TEXT_FORMAT } from '#readers/text-hash.ts'
import { fetchPage, unknownPage } from './fetch-page.ts'
import { createAdaptiveTimeouts } from './pace-requests.ts'

/** Fetches a page whose host first refuses and asks for a long pause, after `had` successful pages. */
const fetchRefused = (had: number) => fetchStatuses([429, 200], {}, { had, isRefusing: true })

/** Fetches a page of a host that answers with these statuses, after `had` successful pages. */
async function fetchStatuses(
  statuses: number[],
  headers: Record<string, string>,
  { had = 0, isRefusing = false } = {},
) {
  const timeouts = createAdaptiveTimeouts()
  for (let pages = 0; pages < had; pages++) timeouts.note(5, 'page')
  const url = 'https://docs.example/a'
  const answer = { url, headers, bytes: new Uint8Array() }
  const left = [...statuses]
  const fetch = async (): Promise<NetResponse> => ({ ...answer, status: left.shift() ?? 500 })
  const pacer = {
    acquire: async () => () => undefined,
    setCrawlDelay: () => undefined,
    pausedFor: () => 31_000,
    isRefusing: () => isRefusing,
  }
  const net = { fetch, [Symbol.asyncDispose]: async () => undefined }
  return fetchPage({ net, pacer, timeouts, signal: new AbortController().signal }, unknownPage(url))
}

test('retries a refused page after the pause if the site has delivered pages', async () => {
  expect(await fetchRefused(5)).toMatchObject({ kind: 'answer', response: { status: 200 } })
})

test('does not retry a refused page if the site has delivered few pages', async () => {
  expect(await fetchRefused(4)).toMatchObject({ kind: 'failed', reason: 'rate_limited', transient: true })
})

test.each([
  [40, { kind: 'answer' }],
  [60, { kind: 'failed', reason: 'rate_limited' }],
])(
  'asks again for a page that the site refused %i times with Retry-After, up to 50 times: %o',
  async (refusals, as) => {
    const statuses = [...Array.from({ length: refusals }, () => 429), 200]
    expect(await fetchStatuses(statuses, { 'retry-after': '1' })).toMatchObject(as)
  },
)

test.each([
  ['Mon, 02 Mar 2020 00:00:00 GMT', 'Mon, 02 Mar 2020 00:00:00 GMT'],
  // That of an imported page, whose text can be anybody's.
  ['2020-03-02T00:00:00.000Z', undefined],
])('asks with the date %s of an indexed page for changes since %s', async (lastModified, since) => {
  let asked: Record<string, string> = {}
  const net = {
    fetch: async (url: string, { headers = {} }: { headers?: Record<string, string> } = {}): Promise<NetResponse> => {
      asked = headers
      return { url, headers: {}, bytes: new Uint8Array(), status: 200 }
    },
    [Symbol.asyncDispose]: async () => undefined,
  }
  const page = { ...unknownPage('https://docs.example/a'), state: 'indexed' as const, textHash: `a${TEXT_FORMAT}` }
  const timeouts = createAdaptiveTimeouts()
  const { signal } = new AbortController()
  await fetchPage({ net, pacer: createPacer(), timeouts, signal }, { ...page, lastModified })
  expect(asked['if-modified-since']).toBe(since)
})
