import { expect, test } from 'vitest'
import type { NetResponse } from '#net/client.ts'
import { fetchPage, unknownPage } from './fetch-page.ts'
import { createAdaptiveTimeouts } from './pace-requests.ts'

/** Fetches a page whose host first refuses and asks for a long pause, after `had` successful pages. */
async function fetchRefused(had: number) {
  const timeouts = createAdaptiveTimeouts()
  for (let pages = 0; pages < had; pages++) timeouts.note(5, 'page')
  const statuses = [429, 200]
  const url = 'https://docs.example/a'
  const answer = { url, headers: {}, bytes: new Uint8Array() }
  const fetch = async (): Promise<NetResponse> => ({ ...answer, status: statuses.shift() ?? 500 })
  const pacer = {
    acquire: async () => () => undefined,
    setCrawlDelay: () => undefined,
    pausedFor: () => 31_000,
    isRefusing: () => true,
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
