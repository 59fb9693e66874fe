import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findKeyHolder } from '#auth/authenticate.ts'
import { found } from '#errors.ts'
import { openIdempotency } from '#operations/idempotency.ts'
import type { Store } from '#store/db.ts'
import { onBothEngines } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'

const NOWHERE = 'http://127.0.0.1:19151/'
const SENTENCE = 'List what has changed since a version.'
let unique = 0

onBothEngines('request with an Idempotency-Key', (engine) => {
  let docent: Docent
  let store: Store
  beforeAll(async () => {
    docent = await startDocent({ engine, environment: { DOCENT_CUSTOM_TOOLS: 'off' } })
    store = docent.store
  })
  afterAll(() => docent[Symbol.asyncDispose]())

  async function account() {
    const email = `account${(unique += 1)}@example.test`
    const key = await docent.makeKey(email)
    const send = (path: string, body: unknown, idempotencyKey?: string, with_ = key) =>
      docent.request('POST', path, body, {
        key: with_,
        headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
      })
    const create = (name: string, idempotencyKey?: string) =>
      send('/api/mcp/create', { name, sources: [{ url: NOWHERE }], visibility: 'private' }, idempotencyKey)
    const servers = async () => (await docent.request('GET', '/api/mcp/list', undefined, { key })).body.length
    return { email, key, send, create, servers }
  }

  test('replays the first answer, secret included, and creates nothing twice', async () => {
    const { create, servers } = await account()
    const first = await create('A', 'once')
    expect(first.status).toBe(200)
    expect(first.body.accessToken).toMatch(/^dat_/)
    const again = await create('A', 'once')
    expect([again.status, again.text]).toEqual([200, first.text])
    expect(await servers()).toBe(1)
    expect((await create('A')).body.serverId).not.toBe(first.body.serverId)
    expect((await create('A', 'twice')).body.serverId).not.toBe(first.body.serverId)
  })

  test('refuses a reused key with a different body, and an invalid key', async () => {
    const { create, servers } = await account()
    await create('A', 'once')
    const other = await create('B', 'once')
    expect([other.status, other.body]).toEqual([
      422,
      { error: 'idempotency_key_reused', message: expect.stringContaining('Use a new one') },
    ])
    for (const key of ['x'.repeat(256), 'ü']) {
      expect(await create('A', key)).toMatchObject({ status: 400, body: { error: 'idempotency_key_malformed' } })
    }
    expect((await create('A', 'x'.repeat(255))).status).toBe(200)
    expect(await servers()).toBe(2)
  })

  test('accepts corrected input under the same key after a refusal', async () => {
    const { send } = await account()
    expect((await send('/api/keys', {}, 'k')).status).toBe(400)
    expect((await send('/api/keys', { name: 'CI' }, 'k')).status).toBe(200)
  })

  test('creates one thing for several concurrent requests with one key', async () => {
    const { create, servers } = await account()
    const answers = await Promise.all(Array.from({ length: 6 }, () => create('A', 'at once')))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(await servers()).toBe(1)
  })

  test('counts concurrent duplicates once against the rate limit', async () => {
    const { create, servers } = await account()
    for (let n = 0; n < 9; n++) expect((await create('A', `${n}`)).status).toBe(200)
    const twins = await Promise.all(Array.from({ length: 20 }, () => create('A', 'twins')))
    expect(new Set(twins.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(twins.map(({ text }) => text)).size).toBe(1)
    expect(await servers()).toBe(10)
    expect((await create('A', 'eleventh')).status).toBe(429)
  })

  test('does not count a replayed answer against the rate limit', async () => {
    const { create } = await account()
    for (let n = 0; n < 10; n++) expect((await create('A', `${n}`)).status).toBe(200)
    expect((await create('A', '9')).status).toBe(200)
    expect((await create('A', '10')).status).toBe(429)
    expect((await create('A', '9')).status).toBe(200)
  })

  test('scopes a key to its operation and its API key', async () => {
    const { email, send, create } = await account()
    const { body: server } = await create('A', 'same')
    const token = await send(`/api/mcp/${server.slug}/access-tokens`, { name: 'x' }, 'same')
    expect(token.body.plaintext).toMatch(/^dat_/)
    const source = await send(`/api/mcp/${server.slug}/sources`, { url: `${NOWHERE}x` }, 'same')
    expect(source.body.url).toBe(`${NOWHERE}x`)
    const key = await send('/api/keys', { name: 'x' }, 'same')
    expect((await send(`/api/mcp/${server.slug}/access-tokens`, { name: 'x' }, 'same')).text).toBe(token.text)
    expect((await send(`/api/mcp/${server.slug}/sources`, { url: `${NOWHERE}x` }, 'same')).text).toBe(source.text)
    expect((await send('/api/keys', { name: 'x' }, 'same')).text).toBe(key.text)
    const another = await docent.makeKey(email)
    expect((await send('/api/keys', { name: 'x' }, 'same', another)).body.id).not.toBe(key.body.id)
  })

  test('replays a written rule and records no refusal', async () => {
    const { send, create } = await account()
    const { serverId } = (await create('A')).body
    const write = (naturalLanguage: string, key: string) =>
      send('/api/retrieval-rules', { serverId, naturalLanguage }, key)
    expect((await write('Never cite your sources.', 'rule')).status).toBe(400)
    const { status, text } = await write('Leave out the changelog.', 'rule')
    expect([status, (await write('Leave out the changelog.', 'rule')).text]).toEqual([200, text])
    expect((await write('Leave out the blog, please.', 'rule')).status).toBe(422)
  })

  test('validates the key without recording it where the operation is unavailable', async () => {
    const { send } = await account()
    for (const [path, body, other] of [
      ['/api/custom-tools', { prompt: SENTENCE }, { prompt: `${SENTENCE} Or not.` }],
    ] as const) {
      expect((await send(path, body, 'same')).status).toBe(503)
      expect((await send(path, other, 'same')).status).toBe(503)
      const malformed = await send(path, body, 'x'.repeat(256))
      expect([malformed.status, malformed.body.error]).toEqual([400, 'idempotency_key_malformed'])
    }
  })

  test('replays the last item of a streamed answer', async () => {
    const { email, key, send } = await account()
    const line = { type: 'error', message: 'Made by hand.' }
    const path: Record<string, string> = {}
    const given = { path, rest: { prompt: SENTENCE } }
    const credential = await findKeyHolder(store.read, `Bearer ${key}`)
    const request = {
      operation: 'customTools.create',
      idempotencyKey: 'streamed',
      given,
      ...found(credential, 'unauthorized'),
    }
    await docent.inStore(({ read, write }) => openIdempotency(read, request, Date.now()).remember(write, line))
    const again = await send('/api/custom-tools', { prompt: SENTENCE }, 'streamed')
    expect([again.status, again.headers.get('content-type'), again.text]).toEqual([
      200,
      'application/x-ndjson',
      `${JSON.stringify(line)}\n`,
    ])
    const another = await docent.makeKey(email)
    expect((await send('/api/custom-tools', { prompt: SENTENCE }, 'streamed', another)).status).toBe(503)
  })

  test('remembers the key for a day and stores no readable secret', async () => {
    const { create, servers } = await account()
    const { body } = await create('A', 'once')
    const { rows } = await sql<{ answer: string; expiresAt: number; id: string }>`
      select id, answer, expires_at from idempotent_answers`.execute(store.read)
    expect(JSON.stringify(rows)).not.toContain(body.accessToken)
    expect(JSON.stringify(rows)).not.toContain(body.serverId)
    const left = (rows[0]?.expiresAt ?? 0) - Date.now()
    expect(left).toBeGreaterThan(23.9 * 3_600_000)
    expect(left).toBeLessThanOrEqual(24 * 3_600_000)
    await docent.inStore(({ write }) =>
      sql`update idempotent_answers set expires_at = ${Date.now() - 60_000}`.execute(write),
    )
    expect((await create('A', 'once')).body.serverId).not.toBe(body.serverId)
    expect(await servers()).toBe(2)
    const kept = await sql`select id from idempotent_answers`.execute(store.read)
    expect(kept.rows).toHaveLength(1)
  })
})
