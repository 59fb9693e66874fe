import { describe, expect, test } from 'vitest'
import type { NetClient, NetRequest } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import { createClientDocuments, isDocumentId } from './client-documents.ts'

const ID = 'https://app.example/oauth/client.json'
const RIGHT = { client_id: ID, client_name: 'App', redirect_uris: ['https://app.example/back'] }

function documents(given: object | string, { status = 200, cacheControl = '' } = {}) {
  const asked: (NetRequest | undefined)[] = []
  let now = 0
  const net: Pick<NetClient, 'fetch'> = {
    async fetch(url, request) {
      asked.push(request)
      const bytes = new TextEncoder().encode(typeof given === 'string' ? given : JSON.stringify(given))
      return { url, status, headers: { 'cache-control': cacheControl }, bytes }
    },
  }
  const { read } = createClientDocuments({ net: net as NetClient, clock: () => now })
  return {
    asked,
    read: () => read(ID, AbortSignal.timeout(10_000), async () => {}),
    pass: (ms: number) => void (now += ms),
  }
}

describe('the metadata document of a client', () => {
  test('gives its name and redirect addresses', async () => {
    const { asked, read } = documents(RIGHT)
    expect(await read()).toEqual({ name: 'App', redirectUris: RIGHT.redirect_uris })
    expect(asked[0]).toMatchObject({ maxBytes: 32 * 1024, totalMs: 5_000, maxRedirects: 0 })
    expect(asked[0]?.acceptRedirect?.(new URL(ID))).toBe(false)
  })

  test('is named after its host if it has no name', async () =>
    expect(await documents({ ...RIGHT, client_name: undefined }).read()).toMatchObject({ name: 'app.example' }))

  test.each([
    ['names another client', { ...RIGHT, client_id: 'https://app.example/oauth/other.json' }, 'another `client_id`'],
    ['differs in a slash', { ...RIGHT, client_id: `${ID}/` }, 'another `client_id`'],
    ['is no JSON', '<html>', 'is not JSON'],
    ['has no redirect address', { ...RIGHT, redirect_uris: [] }, 'no usable `redirect_uris`'],
    ['has 21 redirect addresses', { ...RIGHT, redirect_uris: Array(21).fill('https://a.example/') }, 'no usable'],
    ['returns over plain HTTP', { ...RIGHT, redirect_uris: ['http://app.example/'] }, 'neither https'],
    ['returns to a script', { ...RIGHT, redirect_uris: ['javascript:alert(1)'] }, 'neither https'],
    ['asks for a secret', { ...RIGHT, token_endpoint_auth_method: 'client_secret_post' }, 'asks for a secret'],
  ])('is refused if it %s', async (_, document, why) => {
    await expect(documents(document).read()).rejects.toThrow(why)
  })

  test('is refused if it redirects or is missing', async () => {
    for (const status of [302, 404])
      await expect(documents(RIGHT, { status }).read()).rejects.toThrow(`status ${status}`)
  })

  test('says why it could not be fetched', async () => {
    const net = { fetch: () => Promise.reject(new NetError('timeout', 'The site did not answer in time.')) }
    const { read } = createClientDocuments({ net: net as unknown as NetClient, clock: () => 0 })
    await expect(read(ID, AbortSignal.timeout(10_000), async () => {})).rejects.toThrow(
      'could not be read: The site did not answer',
    )
  })

  test.each([
    ['', 15 * 60],
    ['max-age=120', 120],
    ['max-age=1', 60],
    ['no-store', 60],
    ['public, max-age=99999999', 24 * 60 * 60],
    ['max-age=soon', 60],
  ])('with the cache header %j is kept for %d seconds', async (cacheControl, seconds) => {
    const { asked, read, pass } = documents(RIGHT, { cacheControl })
    await read()
    pass(seconds * 1000 - 1)
    await read()
    expect(asked).toHaveLength(1)
    pass(1)
    await read()
    expect(asked).toHaveLength(2)
  })
})

test.each([
  [ID, true],
  ['https://chatgpt.com/oauth/codex/client.json', true],
  ['https://app.example:8443/client', true],
  ['http://app.example/client.json', false],
  ['https://app.example/', false],
  ['https://app.example', false],
  ['https://app.example/a/../client.json', false],
  ['https://app.example/client.json#x', false],
  ['https://user@app.example/client.json', false],
  ['https://APP.example/client.json', false],
  [`https://app.example/${'x'.repeat(500)}`, false],
  ['oac_123', false],
])('tells whether %j is the address of a metadata document', (id, is) => expect(isDocumentId(id)).toBe(is))
