import { afterAll, beforeAll, expect, test } from 'vitest'
import { newSecret } from '#auth/secret.ts'
import { findPersonByEmail } from '#store/accounts/people.ts'
import { deleteEndedSessions } from '#store/accounts/keys.ts'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { browsers, PASSWORD } from '../support/service/sign-in.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
const REFUSED = { error: 'origin_not_allowed', message: 'Requests from this origin are not allowed.' }

onSqliteAtLeast('session', (engine) => {
  let docent: Docent
  const { signIn, as, open, account } = browsers(() => docent)
  beforeAll(async () => {
    docent = await startDocent({ engine, environment: { DOCENT_RATE_LIMITS: 'off' } })
  })
  afterAll(() => docent[Symbol.asyncDispose]())

  const moveBack = (id: string, values: { lastUsedAt?: number; createdAt?: number }) =>
    docent.inStore(({ write }) => write.updateTable('sessions').set(values).where('id', '=', id).execute())

  test('opens a session with email address and password and sets an HttpOnly cookie', async () => {
    const email = await account('one')
    const { status, body, headers, cookie } = await open(` ${email.toUpperCase()} `, { 'user-agent': 'Browser/1' })
    expect([status, body]).toEqual([
      200,
      {
        session: {
          id: expect.stringMatching(/^ses_[0-9A-Za-z]{22}$/),
          createdAt: ISO,
          lastUsedAt: ISO,
          expiresAt: new Date(Date.parse(body.session.createdAt) + 14 * DAY_MS).toISOString(),
          userAgent: 'Browser/1',
          current: true,
        },
        account: {
          id: expect.stringMatching(/^acc_/),
          email,
          name: 'one',
          plan: 'unlimited',
          isOperator: false,
          role: 'owner',
          serverIds: null,
          accounts: [{ id: body.account.id, name: 'one', role: 'owner' }],
        },
        failedSignIns: 0,
      },
    ])
    expect(headers.get('set-cookie')).toMatch(
      /^docent_session=dss_[0-9A-Za-z]{36}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    const made = await as(cookie, 'POST', '/api/keys', { name: 'From the browser' })
    expect(made).toMatchObject({ status: 200, body: { scope: 'account' } })
    expect((await as(cookie, 'GET', '/api/account/entitlements')).body.key).toEqual({
      scope: 'account',
      serverIds: null,
    })
  })

  test('lists sessions and ends them at once: this one, another one, or all of them', async () => {
    const email = await account('two')
    const [first, second, third] = [await open(email), await open(email), await open(email)]
    const listed = await as(second.cookie, 'GET', '/api/sessions')
    expect(listed.body.account).toEqual(first.body.account)
    expect(listed.body.sessions).toHaveLength(3)
    const used = { lastUsedAt: ISO, expiresAt: ISO }
    expect(listed.body.sessions.filter(({ current }: { current: boolean }) => current)).toEqual([
      { ...second.body.session, ...used, current: true },
    ])
    expect(listed.text).not.toContain('dss_')

    const other = await as(second.cookie, 'DELETE', '/api/sessions', { sessionId: first.body.session.id })
    expect([other.status, other.body, other.headers.get('set-cookie')]).toEqual([200, { ok: true, ended: 1 }, null])
    expect((await as(first.cookie, 'GET', '/api/sessions')).status).toBe(401)
    const gone = await as(second.cookie, 'DELETE', '/api/sessions', { sessionId: first.body.session.id })
    expect([gone.status, gone.body]).toEqual([404, { error: 'Session not found' }])

    const own = await as(second.cookie, 'DELETE', '/api/sessions')
    expect(own.body).toEqual({ ok: true, ended: 1 })
    expect(own.headers.get('set-cookie')).toMatch(/^docent_session=; Max-Age=0; /)
    expect((await as(second.cookie, 'DELETE', '/api/sessions')).status).toBe(401)

    const fourth = await open(email)
    expect((await as(third.cookie, 'DELETE', '/api/sessions', { all: true })).body).toEqual({ ok: true, ended: 2 })
    expect((await as(fourth.cookie, 'GET', '/api/sessions')).status).toBe(401)
  })

  test('manages sessions with an account-wide key, which has no session itself', async () => {
    const email = await account('three')
    const { body } = await open(email)
    const key = await docent.makeKey(email)
    const ask = (method: string, sent?: unknown) => docent.request(method, '/api/sessions', sent, { key })
    expect((await ask('GET')).body.sessions).toEqual([{ ...body.session, current: false }])
    expect(await ask('DELETE')).toMatchObject({ status: 400, body: { error: 'Provide a sessionId, or all: true.' } })
    expect(await ask('DELETE', { all: false })).toMatchObject({ status: 400, body: { error: 'invalid_input' } })
    expect((await ask('DELETE', { sessionId: body.session.id })).body).toEqual({ ok: true, ended: 1 })
  })

  test('answers the same to a wrong password, an unknown address and an account without one', async () => {
    const email = await account('four')
    await docent.makeKey('keys-only@example.test')
    const answers = [
      await signIn(email, 'wrong horse battery'),
      await signIn('nobody@example.test'),
      await signIn('keys-only@example.test'),
      await signIn(`${email}\0`),
      await signIn(email, ''.padEnd(1_000, PASSWORD)),
    ]
    for (const { status, text, headers } of answers) {
      expect([status, text, headers.get('set-cookie')]).toEqual([401, answers[0]?.text, null])
    }
    expect(answers[0]?.body).toEqual({
      error: 'sign_in_failed',
      message: 'The email address or the password is wrong.',
    })
    for (const body of [
      { email },
      { password: PASSWORD },
      { email: 1, password: PASSWORD },
      { email: 'nobody', password: PASSWORD },
      { email, password: '' },
    ]) {
      const refused = await docent.request('POST', '/api/sessions', body, { key: null })
      expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_input' } })
    }
    expect(await signIn(email, 'x'.repeat(1_001))).toMatchObject({ status: 400 })
  })

  test('allows no changes and no sign-in from pages of other sites', async () => {
    const email = await account('five')
    const { cookie } = await open(email)
    const { host } = new URL(docent.url)
    const foreign = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site', origin: docent.url },
      { 'sec-fetch-site': '', origin: 'https://evil.example.test' },
      { 'sec-fetch-site': '', origin: 'null' },
    ]
    for (const headers of foreign) {
      const made = await as(cookie, 'POST', '/api/keys', { name: 'x' }, headers)
      expect([made.status, made.body]).toEqual([403, REFUSED])
      expect(await as(cookie, 'GET', '/api/sessions', undefined, headers)).toMatchObject({ status: 403, body: REFUSED })
      const signed = await signIn(email, PASSWORD, headers)
      expect([signed.status, signed.body, signed.headers.get('set-cookie')]).toEqual([403, REFUSED, null])
    }
    // A request without origin headers may read but not change.
    const silent = { 'sec-fetch-site': '' }
    expect((await as(cookie, 'GET', '/api/sessions', undefined, silent)).status).toBe(200)
    expect((await as(cookie, 'GET', '/api/sessions', undefined, { 'sec-fetch-site': 'none' })).status).toBe(200)
    for (const headers of [silent, { 'sec-fetch-site': 'none' }]) {
      const { status, body } = await as(cookie, 'POST', '/api/keys', { name: 'x' }, headers)
      expect([status, body.error]).toEqual([403, 'origin_not_allowed'])
      expect(body.message).toContain(`Send "Origin: ${docent.url}"`)
    }
    expect((await as(cookie, 'GET', '/api/keys')).body.keys).toEqual([])
    for (const headers of [silent, { ...silent, host: 'docs.example.test' }]) {
      const origin = `http://${'host' in headers ? headers.host : host}`
      expect((await as(cookie, 'POST', '/api/keys', { name: 'x' }, { ...headers, origin })).status).toBe(
        'host' in headers ? 403 : 200,
      )
    }
  })

  test('ignores the session cookie beside an Authorization header and at MCP endpoints', async () => {
    const email = await account('six')
    const { cookie } = await open(email)
    const key = newSecret('dk_live_').plaintext
    const both = await docent.request('GET', '/api/sessions', undefined, { key, headers: { cookie } })
    expect(both.status).toBe(401)
    const server = { name: 'A', sources: [{ url: 'http://127.0.0.1:19151/' }], visibility: 'private' }
    const { slug } = (await as(cookie, 'POST', '/api/mcp/create', server)).body
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    expect(await as(cookie, 'POST', `/api/mcp/${slug}`, ping)).toMatchObject({
      status: 401,
      body: { error: { data: { reason: 'missing_token' } } },
    })
    expect((await as(cookie, 'GET', `/api/mcp/${slug}`)).status).toBe(200)
  })

  test('expires a session 14 days after its last use and 90 days after it was opened', async () => {
    const email = await account('seven')
    const now = Date.now()
    const check = async (values: { lastUsedAt?: number; createdAt?: number }) => {
      const { cookie, body } = await open(email)
      await moveBack(body.session.id, values)
      const { status } = await as(cookie, 'GET', '/api/account/entitlements')
      return { status, id: body.session.id as string, cookie }
    }
    const live = [
      await check({ lastUsedAt: now - 14 * DAY_MS + 60_000 }),
      await check({ createdAt: now - 90 * DAY_MS + 60_000 }),
    ]
    const ended = [
      await check({ lastUsedAt: now - 14 * DAY_MS - 1 }),
      await check({ createdAt: now - 90 * DAY_MS - 1 }),
    ]
    expect([live, ended].map((each) => each.map(({ status }) => status))).toEqual([
      [200, 200],
      [401, 401],
    ])
    const { sessions } = (await as((await open(email)).cookie, 'GET', '/api/sessions')).body
    const ids = sessions.map(({ id }: { id: string }) => id)
    expect([live, ended].map((each) => each.map(({ id }) => ids.includes(id)))).toEqual([
      [true, true],
      [false, false],
    ])
    const old = sessions.find(({ id }: { id: string }) => id === live[1]?.id)
    expect(Date.parse(old.expiresAt)).toBe(now + 60_000)
    await docent.inStore(async ({ write, read }) => {
      await deleteEndedSessions(write, { usedAfter: now - 14 * DAY_MS, begunAfter: now - 90 * DAY_MS })
      const left = (await read.selectFrom('sessions').select('id').execute()).map(({ id }) => id)
      expect([live, ended].map((each) => each.map(({ id }) => left.includes(id)))).toEqual([
        [true, true],
        [false, false],
      ])
    })
  })

  test('allows fifty sessions per person and ends the least recently used one first', async () => {
    const email = await account('eight')
    const first = await open(email)
    await docent.inStore(async ({ write }) => {
      const now = Date.now()
      const personId = (await findPersonByEmail(write, email))?.id ?? ''
      const row = { userAgent: null, accountId: first.body.account.id, personId, createdAt: now }
      for (let n = 1; n < 50; n++) {
        const { hash } = newSecret('dss_')
        await write
          .insertInto('sessions')
          .values({ ...row, id: `ses_${engine}_${n}`, hash, lastUsedAt: now - 60_000 * n })
          .execute()
      }
    })
    const count = async (cookie: string) => (await as(cookie, 'GET', '/api/sessions')).body.sessions.length
    expect(await count(first.cookie)).toBe(50)
    const next = await open(email)
    expect(await count(next.cookie)).toBe(50)
    const { sessions } = (await as(first.cookie, 'GET', '/api/sessions')).body
    const ids = sessions.map(({ id }: { id: string }) => id)
    expect([ids.includes(`ses_${engine}_48`), ids.includes(`ses_${engine}_49`)]).toEqual([true, false])
  })

  test('honours an Idempotency-Key separately from API keys and other sessions', async () => {
    const email = await account('nine')
    const [one, other] = [await open(email), await open(email)]
    const make = (cookie: string) =>
      as(cookie, 'POST', '/api/keys', { name: 'Once' }, { 'idempotency-key': 'the same' })
    const [first, again, apart] = [await make(one.cookie), await make(one.cookie), await make(other.cookie)]
    expect(again.text).toBe(first.text)
    expect(apart.body.id).not.toBe(first.body.id)
  })

  test('stores a session as a hash and its password as argon2id', async () => {
    const email = await account('ten')
    const { cookie } = await open(email)
    const secret = cookie.split('=')[1] ?? ''
    await docent.inStore(async ({ read }) => {
      const rows = JSON.stringify(await read.selectFrom('sessions').selectAll().execute())
      expect([rows.includes(secret), rows.includes(secret.slice(-36, -4))]).toEqual([false, false])
      expect((await findPersonByEmail(read, email))?.passwordHash).toMatch(/^argon2id\$/)
    })
  })
})

test('restricts the cookie to this host and to https behind https', async () => {
  await using docent = await startDocent({ environment: { DOCENT_PUBLIC_URL: 'https://docs.example.test' } })
  const { open, account, as } = browsers(() => docent)
  const { headers, cookie } = await open(await account('one'))
  expect(headers.get('set-cookie')).toMatch(
    /^__Host-docent_session=dss_[0-9A-Za-z]{36}; Max-Age=7776000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  )
  const silent = { 'sec-fetch-site': '', origin: 'https://docs.example.test' }
  expect((await as(cookie, 'POST', '/api/keys', { name: 'x' }, silent)).status).toBe(200)
  expect((await as(cookie.slice('__Host-'.length), 'GET', '/api/sessions')).status).toBe(401)
})
