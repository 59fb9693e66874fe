import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Store } from '#store/db.ts'
import { onBothEngines } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { page, startSite } from '../support/sites/site.ts'

const SECRET_KEY = 'a-secret-key-that-is-only-used-in-tests'
const NOWHERE = 'http://127.0.0.1:19151/'
const DAY_MS = 24 * 60 * 60 * 1000

let unique = 0

onBothEngines('deleted server', (engine) => {
  let docent: Docent
  let store: Store
  beforeAll(async () => {
    const environment = { DOCENT_RATE_LIMITS: 'off', DOCENT_SECRET_KEY: SECRET_KEY }
    docent = await startDocent({ engine, environment })
    store = docent.store
  })
  afterAll(() => docent[Symbol.asyncDispose]())

  async function account(plan = 'unlimited') {
    const email = `account${(unique += 1)}@example.test`
    const key = await docent.makeKey(email)
    await docent.inStore(({ write }) => sql`update accounts set plan = ${plan} where email = ${email}`.execute(write))
    const as = (method: string, path: string, body?: unknown) => docent.request(method, path, body, { key })
    const create = async (url = NOWHERE) =>
      (await as('POST', '/api/mcp/create', { name: 'A', sources: [{ url }] })).body
    const list = async () => (await as('GET', '/api/mcp/list')).body
    return { as, create, list }
  }

  /** Moves the end of its retention and its purge by `ms`. */
  async function shift(serverId: string, ms: number) {
    await docent.inStore(({ write }) =>
      sql`update servers set purge_at = purge_at + ${ms} where id = ${serverId}`.execute(write),
    )
    await docent.inStore(({ write }) =>
      sql`update jobs set run_at = run_at + ${ms} where server_id = ${serverId}`.execute(write),
    )
  }

  test('restores a deleted server with everything under its name and address', async () => {
    const { as, create, list } = await account()
    const made = await create()
    const path = `/api/mcp/${made.slug}`
    await expect.poll(async () => (await as('GET', path)).body.status).toBe('error')
    const before = (await as('GET', path)).body
    const { body: deleted } = await as('DELETE', path)
    expect(Date.parse(deleted.purgeAt) - Date.parse(deleted.deletedAt)).toBe(7 * DAY_MS)
    expect(await list()).toMatchObject([{ id: made.serverId, status: 'deleted', purgeAt: deleted.purgeAt }])
    const restored = await as('POST', `${path}/restore`)
    expect(restored.status).toBe(200)
    expect(restored.body).toEqual({ ...before, updatedAt: restored.body.updatedAt })
    expect((await list())[0]).not.toHaveProperty('deletedAt')
    expect((await docent.request('POST', path, { jsonrpc: '2.0', id: 1, method: 'ping' }, { key: null })).status).toBe(
      200,
    )
    const again = await as('POST', `/api/mcp/${made.serverId}/restore`)
    expect(again.body).toEqual({ ...restored.body, unchanged: true })
    const { rows } = await sql`select 1 as one from jobs where kind = 'purge' and server_id = ${made.serverId}`.execute(
      store.read,
    )
    expect(rows).toEqual([])
    await as('DELETE', path)
    expect((await as('POST', `${path}/restore`)).status).toBe(200)
  })

  test('resumes the indexing that its deletion interrupted', async () => {
    let isHeld = true
    await using site = await startSite({
      '/': page('Home', 'Welcome to the place where the gadgets are explained.', ['/a']),
      '/a': (_, response) => {
        const answer = setInterval(() => {
          if (isHeld) return
          clearInterval(answer)
          response.writeHead(200, { 'content-type': 'text/html' })
          response.end(page('Apples', 'Apples are described at length, with their seasons.'))
        }, 20)
      },
    })
    const { as, create } = await account()
    const { slug, serverId } = await create(site.url)
    const read = async () => (await as('GET', `/api/mcp/${slug}`)).body
    await expect.poll(async () => (await read()).sources[0].pagesIndexed).toBe(1)
    await as('DELETE', `/api/mcp/${slug}`)
    isHeld = false
    await sleep(300)
    const { rows } = await sql<{ kind: string }>`select kind from jobs where server_id = ${serverId}`.execute(
      store.read,
    )
    expect(rows.map(({ kind }) => kind)).toEqual(['purge'])
    expect((await as('POST', `/api/mcp/${slug}/restore`)).body.status).toBe('crawling')
    await expect.poll(async () => (await read()).status).toBe('active')
    expect((await read()).sources[0]).toMatchObject({ crawlStatus: 'complete', pagesIndexed: 2 })
    const { rows: runs } = await sql`select run from sources where server_id = ${serverId}`.execute(store.read)
    expect(runs.map((row) => ({ ...(row as object) }))).toEqual([{ run: 1 }])
  })

  test('frees a place at the server limit and cannot be restored beyond it', async () => {
    const { as, create, list } = await account('free')
    const [first] = [await create(), await create(), await create()]
    expect((await create()).error).toBe('enterprise_limit')
    await as('DELETE', `/api/mcp/${first.slug}`)
    const fourth = await create()
    expect(fourth.slug).toBeDefined()
    const refused = await as('POST', `/api/mcp/${first.slug}/restore`)
    expect([refused.status, refused.body]).toEqual([
      409,
      { error: 'server_limit', message: expect.any(String), limit: 3, upgradeUrl: `${docent.url}/plan` },
    ])
    expect((await list()).filter(({ status }: { status: string }) => status !== 'deleted')).toHaveLength(3)
    await as('DELETE', `/api/mcp/${fourth.slug}`)
    expect((await as('POST', `/api/mcp/${first.slug}/restore`)).status).toBe(200)
  })

  test('returns the same 404 to a restore after the retention and by others', async () => {
    const [mine, other] = [await account(), await account()]
    const { slug, serverId } = await mine.create()
    await mine.as('DELETE', `/api/mcp/${slug}`)
    const restore = (who: typeof mine, id: string) => who.as('POST', `/api/mcp/${id}/restore`)
    const answers = [await restore(other, slug), await restore(mine, 'srv_none')]
    await docent.inStore(({ write }) =>
      sql`update servers set purge_at = ${Date.now() - 60_000} where id = ${serverId}`.execute(write),
    )
    answers.push(await restore(mine, slug))
    for (const { status, text } of answers) expect([status, text]).toEqual([404, '{"error":"Server not found"}'])
    expect(await mine.list()).toEqual([])
  })

  test('purges a server when its retention ends by the database’s clock and not before', async () => {
    const { as, create, list } = await account()
    const { slug, serverId } = await create()
    await as('DELETE', `/api/mcp/${slug}`)
    const rowOf = () => sql`select id from servers where id = ${serverId}`.execute(store.read)
    // The node's clock is a week off: the job is due, but the retention has not ended.
    await docent.inStore(({ write }) => sql`update jobs set run_at = 0 where server_id = ${serverId}`.execute(write))
    await sleep(1_500)
    expect((await rowOf()).rows).toHaveLength(1)
    expect(await list()).toHaveLength(1)
    const { rows } = await sql<{ runAt: number; attempts: number; state: string }>`
      select run_at, attempts, state from jobs where server_id = ${serverId} and kind = 'purge'`.execute(store.read)
    expect(rows).toEqual([{ runAt: expect.any(Number), attempts: 0, state: 'queued' }])
    expect(rows[0]?.runAt).toBeGreaterThan(Date.now() + 6 * DAY_MS)
    await shift(serverId, -7 * DAY_MS)
    await expect.poll(async () => (await rowOf()).rows).toEqual([])
    expect(await list()).toEqual([])
  })

  test('does not purge a restored server by its deletion job', async () => {
    const { as, create, list } = await account()
    const { slug, serverId } = await create()
    await as('DELETE', `/api/mcp/${slug}`)
    await as('POST', `/api/mcp/${slug}/restore`)
    await docent.inStore(({ write }) =>
      sql`insert into jobs (kind, payload, state, attempts, run_at, fence, created_at, updated_at)
      values ('purge', ${JSON.stringify({ serverId })}, 'queued', 0, 0, 0, 0, 0)`.execute(write),
    )
    const waiting = () =>
      sql`select id from jobs where kind = 'purge' and payload like ${`%${serverId}%`}`.execute(store.read)
    await expect.poll(async () => (await waiting()).rows).toEqual([])
    expect(await list()).toHaveLength(1)
  })
})

onBothEngines('changing a server', (engine) => {
  let docent: Docent
  let slug: string
  beforeAll(async () => {
    docent = await startDocent({ engine })
    const given = { name: 'A', description: 'First', sources: [{ url: NOWHERE }] }
    slug = (await docent.request('POST', '/api/mcp/create', given)).body.slug
  })
  afterAll(() => docent[Symbol.asyncDispose]())
  const change = (body: unknown, id = slug) => docent.request('PATCH', `/api/mcp/${id}`, body)

  test('sets name, description and schedule separately and keeps the address', async () => {
    expect((await change({ name: ' Better name ' })).body).toMatchObject({
      slug,
      name: 'Better name',
      description: 'First',
      refresh: 'daily',
    })
    expect((await change({ description: null })).body).toMatchObject({ name: 'Better name', description: null })
    expect((await change({ refresh: 'weekly' })).body).toMatchObject({ name: 'Better name', refresh: 'weekly' })
    expect((await docent.request('GET', `/api/mcp/${slug}`)).body).toMatchObject({ refresh: 'weekly' })
  })

  test('turns structured output on and off from the next call', async () => {
    const members = async (at = slug) => {
      const { result } = await docent.callTool(at, 'search_docs', { query: 'oil' })
      const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
      const { tools } = (await docent.request('POST', `/api/mcp/${at}`, list, { key: null })).body.result
      return ['structuredContent' in result, 'outputSchema' in tools[0]]
    }
    expect((await docent.request('GET', `/api/mcp/${slug}`)).body).toMatchObject({ structuredOutput: false })
    expect(await members()).toEqual([false, false])
    expect((await change({ structuredOutput: true })).body).toMatchObject({ structuredOutput: true })
    expect(await members()).toEqual([true, true])
    expect((await change({ structuredOutput: false })).body).toMatchObject({ structuredOutput: false })
    expect(await members()).toEqual([false, false])
    const given = { name: 'B', sources: [{ url: NOWHERE }], structuredOutput: true }
    const { body } = await docent.request('POST', '/api/mcp/create', given)
    expect((await docent.request('GET', `/api/mcp/${body.slug}`)).body).toMatchObject({ structuredOutput: true })
    expect(await members(body.slug)).toEqual([true, true])
  })

  test.each([
    [{}, 'Nothing to update.'],
    [{ name: '' }, 'Name is required'],
    [{ name: 'x'.repeat(201) }, 'invalid_input'],
    [{ refresh: 'never' }, 'invalid_input'],
    [{ structuredOutput: 'yes' }, 'invalid_input'],
  ])('refuses %j', async (body, error) => {
    expect(await change(body)).toMatchObject({ status: 400, body: { error } })
  })

  test('returns 404 for an unknown server', async () => {
    expect(await change({ name: 'x' }, 'nobody')).toMatchObject({ status: 404, body: { error: 'Server not found' } })
  })
})
