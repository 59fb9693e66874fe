import { beforeAll, expect, test } from 'vitest'
import type { Store } from '#store/db.ts'
import { newSourceRow } from '#store/sources/sources.ts'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { callAccountTool } from '../support/service/account-client.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'

const SERVERS = 10_000
const ROWS_AT_ONCE = 1_000
const DAY_MS = 24 * 60 * 60 * 1000
/** Intervals at which servers are another account's, deleted, or due to be purged. */
const [OTHERS, DELETED, PURGED] = [7, 11, 13]

type Listed = { id: string; slug: string; status: string; sourceCount: number; createdAt: string; deletedAt?: string }

const isOthers = (n: number) => n % OTHERS === 0
const isPurged = (n: number) => n % PURGED === 0
const isDeleted = (n: number) => isPurged(n) || n % DELETED === 0
/** A server has none, one or two sources, of which one may be busy. */
const sourcesOf = (n: number) => n % 3
const statusOf = (n: number) => {
  if (isDeleted(n)) return 'deleted'
  return sourcesOf(n) === 2 && n % 2 === 0 ? 'crawling' : 'active'
}
const idOf = (n: number) => `srv_many${String(n).padStart(20, '0')}`

/** Pairs share a creation time, as in bulk creation. Ids are in the opposite order of times. */
const createdAt = (n: number) => 1_700_000_000_000 + Math.floor((SERVERS - n) / 2) * 1_000

async function addServers({ transaction }: Store, [own, others]: [string, string], now: number): Promise<void> {
  const numbers = Array.from({ length: SERVERS }, (_, n) => n)
  const servers = numbers.map((n) => ({
    id: idOf(n),
    accountId: isOthers(n) ? others : own,
    slug: `many-${n}`,
    name: `Many ${n}`,
    description: null,
    visibility: 'public' as const,
    tools: '["search_docs","ask_question","get_code_examples"]',
    refresh: 'off' as const,
    createdAt: createdAt(n),
    updatedAt: createdAt(n),
    deletedAt: isDeleted(n) ? now - DAY_MS : null,
    purgeAt: isDeleted(n) ? (isPurged(n) ? now - 1 : now + DAY_MS) : null,
  }))
  const sources = numbers.flatMap((n) =>
    Array.from({ length: sourcesOf(n) }, (_, at) => {
      const address = { url: `https://${n}.example.com/${at}/`, type: 'docs' as const, label: null }
      const row = newSourceRow({ ...address, id: `src_${n}_${at}`, serverId: idOf(n), createdAt: at })
      return { ...row, crawlStatus: at === 1 && n % 2 === 0 ? ('crawling' as const) : ('complete' as const) }
    }),
  )
  await transaction(async (tx) => {
    for (let from = 0; from < servers.length; from += ROWS_AT_ONCE)
      await tx
        .insertInto('servers')
        .values(servers.slice(from, from + ROWS_AT_ONCE))
        .execute()
    for (let from = 0; from < sources.length; from += ROWS_AT_ONCE)
      await tx
        .insertInto('sources')
        .values(sources.slice(from, from + ROWS_AT_ONCE))
        .execute()
  })
}

/** Adds the servers of two accounts and returns a key of the other account. */
async function furnish(docent: Docent): Promise<string> {
  const otherKey = await docent.makeKey('other@example.test')
  await docent.inStore(async (store) => {
    const accounts = await store.read.selectFrom('accounts').select(['id', 'email']).execute()
    const of = (wanted: boolean) => accounts.find(({ email }) => (email === 'other@example.test') === wanted)?.id ?? ''
    await addServers(store, [of(false), of(true)], await store.now())
  })
  return otherKey
}

onSqliteAtLeast('list of servers that fits in one slice', (engine) => {
  test('sends a short list whole with a Content-Length', async () => {
    await using docent = await startDocent({ engine })
    const { text, headers } = await docent.request('GET', '/api/mcp/list')
    expect([text, headers.get('content-length')]).toEqual(['[]', '2'])
    await docent.request('POST', '/api/mcp/create', { name: 'A', uploads: ['docs'] })
    const one = await docent.request('GET', '/api/mcp/list')
    expect(one.text).toBe(JSON.stringify(one.body))
    expect(Number(one.headers.get('content-length'))).toBe(Buffer.byteLength(one.text))
  })
})

onSqliteAtLeast('list of ten thousand servers', (engine) => {
  let docent: Docent
  let otherKey: string
  beforeAll(async () => {
    docent = await startDocent({ engine })
    otherKey = await furnish(docent)
    return () => docent[Symbol.asyncDispose]()
  })

  test('lists each server of the account once, newest first, and no other', async () => {
    const scoped = await docent.makeKey(undefined, [1, 2].map(idOf))
    const list = async (key: string): Promise<Listed[]> => {
      const { status, body } = await docent.request('GET', '/api/mcp/list', undefined, { key })
      expect(status).toBe(200)
      return body
    }
    const expected = (wanted: (n: number) => boolean) =>
      Array.from({ length: SERVERS }, (_, n) => n)
        .filter((n) => wanted(n) && !isPurged(n))
        .toSorted((a, b) => createdAt(b) - createdAt(a) || b - a)
        .map((n) => [idOf(n), statusOf(n), sourcesOf(n)])
    const rowsOf = (servers: Listed[]) => servers.map(({ id, status, sourceCount }) => [id, status, sourceCount])

    const own = await list(docent.key)
    expect(own.length).toBeGreaterThan(7_000)
    expect(rowsOf(own)).toEqual(expected((n) => !isOthers(n)))
    expect(own.every((server) => (server.status === 'deleted') === (server.deletedAt !== undefined))).toBe(true)
    expect(rowsOf(await list(otherKey))).toEqual(expected(isOthers))
    expect(rowsOf(await list(scoped))).toEqual(expected((n) => n === 1 || n === 2))
  })

  test('lists the same servers page by page, over REST and as a tool', async () => {
    const { body: all } = await docent.request('GET', '/api/mcp/list')
    const idsOf = (servers: Listed[]) => servers.map(({ id }) => id)
    const scoped = await docent.makeKey(undefined, [1, 2, 9_998].map(idOf))
    for (const [key, limit] of [
      [docent.key, 500],
      [scoped, 2],
    ] as const) {
      const listed: string[] = []
      let next: string | undefined = `/api/mcp/list?limit=${limit}`
      while (next !== undefined) {
        const { body, headers } = await docent.request('GET', next, undefined, { key })
        expect(body.length).toBeLessThanOrEqual(limit)
        listed.push(...idsOf(body))
        next = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
      }
      const whole =
        key === scoped ? [9_998, 2, 1].toSorted((a, b) => createdAt(b) - createdAt(a)).map(idOf) : idsOf(all)
      expect(listed).toEqual(whole)
    }

    const first = await callAccountTool(docent, 'list_servers')
    expect(first.json).toEqual(all.slice(0, 50))
    expect(first.notes).toEqual([expect.stringContaining('Call list_servers again with "cursor": "')])
    const [, cursor = ''] = /"cursor": "([^"]+)"/.exec(first.notes[0] ?? '') ?? []
    const second = await callAccountTool(docent, 'list_servers', { cursor })
    expect(second.json).toEqual(all.slice(50, 100))
    expect((await callAccountTool(docent, 'list_servers', { limit: 3, cursor })).json).toEqual(all.slice(50, 53))
    const some = await callAccountTool(docent, 'list_servers', {}, scoped)
    expect([some.json.length, some.notes]).toEqual([3, []])
  })

  test('refuses a page of another size or from nowhere', async () => {
    for (const query of [
      'limit=0',
      'limit=501',
      'limit=x',
      'cursor=',
      'cursor=c3J2',
      `limit=5&cursor=${'A'.repeat(201)}`,
    ]) {
      const { status, body } = await docent.request('GET', `/api/mcp/list?${query}`)
      expect([query, status, body.error]).toEqual([query, 400, 'invalid_input'])
    }
    expect((await docent.request('GET', '/api/mcp/list?limit=500')).body).toHaveLength(500)
    expect((await docent.request('GET', '/api/mcp/list?limit=1')).body).toHaveLength(1)
  })

  test('writes a long list as one JSON array in slices and answers other requests in between', async () => {
    const over = new AbortController()
    let answered = 0
    const others = (async () => {
      while (!over.signal.aborted) {
        expect((await docent.request('GET', '/healthz', undefined, { key: null })).status).toBe(200)
        answered += 1
      }
    })()
    const { text, body, headers } = await docent.request('GET', '/api/mcp/list')
    const meanwhile = answered
    over.abort()
    await others
    expect(text).toBe(JSON.stringify(body))
    expect(headers.get('content-type')).toBe('application/json')
    // The list takes about eighty slices; another request needs a few turns of the event loop.
    expect(meanwhile).toBeGreaterThan(10)
  })

  test('returns the same servers in the event stream and the account’s usage', async () => {
    const live = Array.from({ length: SERVERS }, (_, n) => n)
      .filter((n) => !isOthers(n) && !isDeleted(n))
      .map(idOf)
    const { text } = await docent.request('GET', '/api/events')
    const told = [...text.matchAll(/"type":"progress","serverId":"(\w+)"/g)].map(([, id]) => id)
    expect(told.toSorted()).toEqual(live.toSorted())
    const { body } = await docent.request('GET', '/api/billing/usage')
    const used = (body.sources as { serverId: string; used: number }[]).map(({ serverId, used }) => [serverId, used])
    const byAge = (a: number, b: number) => createdAt(a) - createdAt(b) || a - b
    const numbers = live.map((id) => Number(id.slice(-20))).toSorted(byAge)
    expect(used).toEqual(numbers.map((n) => [idOf(n), sourcesOf(n)]))
  })
})
