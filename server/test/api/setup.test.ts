import { expect, test } from 'vitest'
import { createAccount, setPassword, createSetupLink } from '#auth/accounts.ts'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'

const PASSWORD = 'correct horse battery'
const NEW = 'another horse battery'
const EMAIL = 'ann@example.test'

const link = async (docent: Docent): Promise<string> => {
  const address = await docent.inStore((store) => createSetupLink(store, docent.url))
  return new URL(address ?? '').hash.slice(1)
}
const claim = (docent: Docent, token: string, more: object = {}, headers: Record<string, string> = {}) =>
  docent.request('POST', '/api/setup', { token, email: EMAIL, password: PASSWORD, ...more }, { key: null, headers })
const cookieOf = (headers: Headers) => (headers.get('set-cookie') ?? '').split(';')[0] ?? ''
const asOwn = (cookie: string) => ({ key: null, headers: { cookie, 'sec-fetch-site': 'same-origin' } })

onSqliteAtLeast('first account', (engine) => {
  const start = () => startDocent({ engine, key: 'none' })

  test('creates the operator with a setup link and signs in', async () => {
    await using docent = await start()
    expect((await docent.request('GET', '/api/setup', undefined, { key: null })).body).toEqual({
      open: true,
      signUps: false,
      passwords: true,
      command: 'npm run docent --',
      providers: [],
    })
    const { status, body, headers } = await claim(docent, await link(docent))
    expect({ status, account: body.account }).toMatchObject({
      status: 200,
      account: { email: EMAIL, plan: 'unlimited', isOperator: true },
    })
    const made = await docent.request('GET', '/api/sessions', undefined, asOwn(cookieOf(headers)))
    expect(made.body.account).toEqual(body.account)
    expect((await docent.request('GET', '/api/setup', undefined, { key: null })).body).toEqual({
      open: false,
      signUps: false,
      passwords: true,
      command: 'npm run docent --',
      providers: [],
    })
  })

  test('refuses every link once there is an account', async () => {
    await using docent = await start()
    const [first, second] = [await link(docent), await link(docent)]
    expect((await claim(docent, first)).status).toBe(200)
    for (const token of [first, second, 'unknown']) {
      expect(await claim(docent, token)).toMatchObject({ status: 404, body: { error: 'Not found' } })
    }
    expect(await docent.inStore((store) => createSetupLink(store, docent.url))).toBeNull()
  })

  test('creates one account from links that are used at the same time', async () => {
    await using docent = await start()
    const tokens = [await link(docent), await link(docent), await link(docent)]
    const answers = await Promise.all(tokens.map((token, n) => claim(docent, token, { email: `p${n}@example.test` })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404])
    const accounts = await docent.inStore(({ read }) => read.selectFrom('accounts').select('id').execute())
    expect(accounts).toHaveLength(1)
  })

  test('refuses unknown and expired links, short passwords and other sites', async () => {
    await using docent = await start()
    const token = await link(docent)
    const unknown = { status: 403, body: { error: 'setup_link_unknown' } }
    for (const wrong of ['x', `${token}x`, token.replace(/.$/, '-')]) {
      expect(await claim(docent, wrong)).toMatchObject(unknown)
    }
    expect(await claim(docent, token, { password: 'short' })).toMatchObject({
      status: 400,
      body: { error: 'password_too_short' },
    })
    expect(await claim(docent, token, {}, { 'sec-fetch-site': 'cross-site' })).toMatchObject({ status: 403 })
    const age = (minutes: number) =>
      docent.inStore(({ write }) =>
        write
          .updateTable('setupLinks')
          .set({ createdAt: Date.now() - minutes * 60_000 })
          .execute(),
      )
    await age(31)
    expect(await claim(docent, token)).toMatchObject(unknown)
    await age(29)
    expect((await claim(docent, token)).status).toBe(200)
  })

  test('stores a link as a hash only', async () => {
    await using docent = await start()
    const token = await link(docent)
    const rows = await docent.inStore(({ read }) => read.selectFrom('setupLinks').selectAll().execute())
    expect(JSON.stringify(rows)).not.toContain(token.slice(4, -6))
  })
})

onSqliteAtLeast('sign-up', (engine) => {
  const signUp = (docent: Docent, email = EMAIL, headers: Record<string, string> = {}) =>
    docent.request('POST', '/api/accounts', { email, password: PASSWORD }, { key: null, headers })

  test('refuses sign-up by default', async () => {
    await using docent = await startDocent({ engine })
    expect(await signUp(docent)).toMatchObject({ status: 403, body: { error: 'sign_ups_off' } })
  })

  test('creates an account on the default plan, once for each address', async () => {
    const environment = { DOCENT_SIGNUPS: 'on', DOCENT_DEFAULT_PLAN: 'core' }
    await using docent = await startDocent({ engine, environment })
    const { status, body } = await signUp(docent)
    expect({ status, account: body.account }).toMatchObject({
      status: 200,
      account: { email: EMAIL, plan: 'core', isOperator: false },
    })
    expect(await signUp(docent, EMAIL.toUpperCase())).toMatchObject({ status: 409, body: { error: 'email_taken' } })
    expect((await signUp(docent, 'b@example.test', { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    const statuses = []
    for (let n = 0; n < 9; n++) statuses.push((await signUp(docent, `p${n}@example.test`)).status)
    expect(statuses).toEqual([...Array.from({ length: 8 }, () => 200), 429])
  })

  test('never creates the operator by sign-up', async () => {
    await using docent = await startDocent({ engine, key: 'none', environment: { DOCENT_SIGNUPS: 'on' } })
    expect(await signUp(docent)).toMatchObject({ status: 403, body: { error: 'sign_ups_off' } })
  })
})

onSqliteAtLeast('password', (engine) => {
  test('changes a password for callers who know it, and ends the other sessions', async () => {
    await using docent = await startDocent({ engine, environment: { DOCENT_RATE_LIMITS: 'off' } })
    await docent.inStore((store) => createAccount(store, { email: EMAIL, password: PASSWORD, plan: 'free' }))
    const signIn = (password: string) =>
      docent.request('POST', '/api/sessions', { email: EMAIL, password }, { key: null })
    const [here, there] = [cookieOf((await signIn(PASSWORD)).headers), cookieOf((await signIn(PASSWORD)).headers)]
    const change = (current: string, password = NEW, more: object = {}) =>
      docent.request('PUT', '/api/account/password', { current, password, ...more }, asOwn(here))
    expect(await change('wrong horse')).toMatchObject({ status: 403, body: { error: 'password_wrong' } })
    expect(await change(PASSWORD, 'short')).toMatchObject({ status: 400, body: { error: 'password_too_short' } })
    expect(await change(PASSWORD, 'Password123')).toMatchObject({ status: 400, body: { error: 'password_common' } })
    const { body: key } = await docent.request('POST', '/api/keys', { name: 'Mine' }, asOwn(here))
    expect((await change(PASSWORD)).body).toEqual({ ok: true, endedSessions: 1, revokedKeys: 0 })
    expect((await docent.request('GET', '/api/keys', undefined, { key: key.plaintext })).status).toBe(200)
    expect((await change(NEW, NEW, { revokeKeys: true })).body).toMatchObject({ revokedKeys: 1 })
    expect((await docent.request('GET', '/api/keys', undefined, { key: key.plaintext })).status).toBe(401)
    const statuses = [
      await docent.request('GET', '/api/sessions', undefined, asOwn(here)),
      await docent.request('GET', '/api/sessions', undefined, asOwn(there)),
      await signIn(PASSWORD),
      await signIn(NEW),
    ].map(({ status }) => status)
    expect(statuses).toEqual([200, 401, 401, 200])
    await docent.inStore((store) => setPassword(store, { email: EMAIL, password: PASSWORD }))
    expect((await signIn(PASSWORD)).status).toBe(200)
  })
})

test('limits guesses of the current password', async () => {
  await using docent = await startDocent({ environment: { DOCENT_TRUSTED_PROXIES: '1' } })
  const change = () => docent.request('PUT', '/api/account/password', { current: 'wrong', password: NEW })
  const statuses = []
  for (let n = 0; n < 21; n++) statuses.push((await change()).status)
  expect([...new Set(statuses.slice(0, 20)), statuses[20]]).toEqual([403, 429])
})
