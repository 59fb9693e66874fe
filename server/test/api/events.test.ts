import { setTimeout as sleep } from 'node:timers/promises'
import { MAX_EVENT_STREAMS } from '@docent/contract/operations/events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDocentClient } from '../../../sdk/src/client.ts'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { page, type Site, startSite } from '../support/sites/site.ts'

type Event = { type: string; serverId?: string; status?: string; sources?: { pagesIndexed: number }[] }

onSqliteAtLeast('event stream', (engine) => {
  let site: Site
  let docent: Docent
  const streams = new AbortController()

  beforeAll(async () => {
    site = await startSite({
      '/': page('Home', 'Welcome.', ['/a', '/b']),
      '/a': page('A', 'Apples.'),
      '/b': page('B', 'Pears.'),
    })
    docent = await startDocent({ engine, environment: { DOCENT_RATE_LIMITS: 'off' } })
  })
  afterAll(async () => {
    streams.abort()
    await docent[Symbol.asyncDispose]()
    await site[Symbol.asyncDispose]()
  })

  const create = async (name: string, key = docent.key): Promise<string> => {
    const body = { name, sources: [{ url: `${site.url}/`, label: `Label of ${name}` }] }
    return (await docent.request('POST', '/api/mcp/create', body, { key })).body.serverId
  }

  const untilComplete = async (serverId: string) => {
    while (
      (await docent.request('GET', `/api/mcp/${serverId}/crawl-next`, undefined, { key: null })).body.status ===
      'crawling'
    )
      await sleep(20)
  }

  /** Simulates seven more indexed pages. */
  const grow = (serverId: string) =>
    docent.inStore(({ write }) =>
      write
        .updateTable('sources')
        .set((is) => ({ pagesIndexed: is('pagesIndexed', '+', 7) }))
        .where('serverId', '=', serverId)
        .execute(),
    )

  /** Opens a stream. Received events are in `events`; `until` waits for a matching one. */
  async function watch(key = docent.key, base = docent.url) {
    const stop = new AbortController()
    const signal = AbortSignal.any([stop.signal, streams.signal])
    const items = await createDocentClient({ baseUrl: base, apiKey: key }).events.watch({}, { signal })
    const events: Event[] = []
    let ended: 'open' | 'ended' | 'broken' = 'open'
    const reading = (async () => {
      try {
        for await (const item of items) events.push(item)
        ended = 'ended'
      } catch {
        ended = 'broken'
      }
    })()
    return {
      events,
      reading,
      stop: () => stop.abort(),
      state: () => ended,
      async until(found: (event: Event) => boolean) {
        while (!events.some(found)) {
          if (ended !== 'open') throw new Error(`The stream has ${ended}: ${JSON.stringify(events)}`)
          await sleep(20)
        }
      },
    }
  }

  test('sends the current state, changes and deletions', async () => {
    const first = await create('First')
    await docent.untilDone(first)
    const stream = await watch()
    await stream.until(({ type }) => type === 'heartbeat')
    const [told] = stream.events
    expect(told).toMatchObject({ type: 'progress', serverId: first, status: 'active', sources: [{ pagesIndexed: 3 }] })
    expect(stream.events.findIndex(({ type }) => type === 'heartbeat')).toBe(1)
    const second = await create('Second')
    await stream.until((event) => event.serverId === second && event.status === 'active')
    expect(stream.events.filter(({ serverId }) => serverId === first)).toHaveLength(1)
    await docent.request('DELETE', `/api/mcp/${second}`)
    await stream.until((event) => event.type === 'removed' && event.serverId === second)
    expect(JSON.stringify(stream.events)).not.toMatch(/Label|127\.0\.0\.1|Home|First/)
    stream.stop()
  })

  test('reports new calls, but none from before the stream began', async () => {
    const serverId = await create('Called')
    const { slug } = await docent.untilDone(serverId)
    await docent.callTool(slug, 'search_docs', { query: 'apples' })
    // The summary has every call that was answered.
    await docent.request('GET', `/api/analytics/${serverId}/summary`)
    const stream = await watch()
    await stream.until(({ type }) => type === 'heartbeat')
    expect(stream.events.filter(({ type }) => type === 'called')).toEqual([])
    await docent.callTool(slug, 'search_docs', { query: 'pears' })
    await stream.until(({ type }) => type === 'called')
    expect(stream.events.filter(({ type }) => type === 'called')).toMatchObject([{ serverId }])
    stream.stop()
    await stream.reading
  })

  test('sends the full state again to a client that reconnects', async () => {
    const headers = { 'last-event-id': '12345' }
    const { text, headers: answered } = await docent.request('GET', '/api/events', undefined, { headers })
    expect(text).toMatch(/^retry: \d+\n\n/)
    expect(text).toContain('event: progress\ndata: {"type":"progress"')
    expect(answered.get('cache-control')).toBe('no-store')
  })

  test('covers the servers of the account, or of a scoped key', async () => {
    const stranger = await docent.makeKey('stranger@example.test')
    const own = await create('Own')
    const other = await create('Other', stranger)
    await docent.untilDone(own)
    await untilComplete(other)
    const [scoped, theirs] = [await watch(await docent.makeKey('owner@example.test', [own])), await watch(stranger)]
    for (const stream of [scoped, theirs]) await stream.until(({ type }) => type === 'heartbeat')
    const { body } = await docent.request('GET', `/api/mcp/${own}`)
    for (const slug of [own, other]) await grow(slug)
    const hasGrown = ({ sources }: Event) => sources?.[0]?.pagesIndexed === body.sources[0].pagesIndexed + 7
    await Promise.all([scoped.until(hasGrown), theirs.until(hasGrown)])
    expect(new Set(scoped.events.flatMap(({ serverId }) => serverId ?? []))).toEqual(new Set([own]))
    expect(new Set(theirs.events.flatMap(({ serverId }) => serverId ?? []))).toEqual(new Set([other]))
    for (const stream of [scoped, theirs]) stream.stop()
  })

  test('limits open streams per account and frees the place of a closed one', async () => {
    const key = await docent.makeKey('many@example.test')
    const ask = () => docent.request('GET', '/api/events', undefined, { key })
    const all = await Promise.all(Array.from({ length: MAX_EVENT_STREAMS }, () => watch(key)))
    const over = await ask()
    expect([over.status, over.body.error, over.body.limit]).toEqual([429, 'stream_limit', MAX_EVENT_STREAMS])
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0)
    // Other accounts have their own limit.
    expect((await docent.request('GET', '/api/events')).status).toBe(200)
    for (const { stop } of all) stop()
    while ((await ask()).status !== 200) await sleep(20)
  })

  test('opens no stream for a HEAD request', async () => {
    const key = await docent.makeKey('head@example.test')
    for (let n = 0; n <= MAX_EVENT_STREAMS; n++) {
      const headers = { authorization: `Bearer ${key}` }
      const response = await fetch(`${docent.url}/api/events`, { method: 'HEAD', headers })
      expect(response.status).toBe(200)
    }
  })

  test('ends when the key is revoked', async () => {
    const key = await docent.makeKey()
    const stream = await watch(key)
    await stream.until(({ type }) => type === 'heartbeat')
    await docent.inStore(({ write }) =>
      write.updateTable('apiKeys').set({ revokedAt: 1 }).where('last4', '=', key.slice(-4)).execute(),
    )
    await stream.reading
    expect(stream.state()).toBe('ended')
  })

  test('ends cleanly with the service', async () => {
    const other = await startDocent({ engine })
    const stream = await watch(other.key, other.url)
    await stream.until(({ type }) => type === 'heartbeat')
    await other[Symbol.asyncDispose]()
    await stream.reading
    expect(stream.state()).toBe('ended')
  })

  test.runIf(engine === 'postgres')('reports changes made on another node', async () => {
    await using other = await startDocent({ engine, place: docent.place })
    const stream = await watch(docent.key, other.url)
    await stream.until(({ type }) => type === 'heartbeat')
    const made = await create('Elsewhere')
    await stream.until((event) => event.serverId === made && event.status === 'active')
    stream.stop()
  })
})
