import { ATTRIBUTION_LIMIT } from '@docent/contract/operations/developers'
import { expect, test } from 'vitest'
import { newSecret } from '#auth/secret.ts'
import { findAccountByEmail } from '#store/accounts/accounts.ts'
import { portalOf, usePortals } from '../support/service/developer-portal.ts'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { startDocent } from '../support/service/harness.ts'
import { useUp } from '../support/service/use-up.ts'

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)

onSqliteAtLeast('developer', (engine) => {
  const used = usePortals(engine)
  const { account } = used

  test('returns the same credentials on every read, by session and by client secret', async () => {
    const { portal, backend, clientId, clientSecret, email } = await account()
    expect(clientId).toMatch(/^dci_[0-9A-Za-z]{22}$/)
    expect(clientSecret).toMatch(/^dcs_[0-9A-Za-z]{36}$/)
    const expected = { clientId, clientSecret, appName: email.split('@')[0] }
    expect((await portal('GET', '/api/credentials')).body).toEqual(expected)
    expect((await backend('GET', '/api/credentials')).body).toEqual(expected)
  })

  test('creates one profile from concurrent first requests', async () => {
    const { portal, email } = await account()
    await used.docent.inStore(async ({ write, read }) => {
      const owner = await findAccountByEmail(read, email)
      await write
        .deleteFrom('developers')
        .where('accountId', '=', owner?.id ?? '')
        .execute()
    })
    const answers = await Promise.all(Array.from({ length: 12 }, () => portal('GET', '/api/credentials')))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  })

  test('loses the old client secret at once when a new one is made', async () => {
    const { portal, backend, clientId, clientSecret } = await account()
    const changed = await portal('PUT', '/api/credentials', { action: 'regenerate_secret' })
    expect(changed).toMatchObject({ status: 200, body: { clientId } })
    expect(changed.body.clientSecret).not.toBe(clientSecret)
    expect((await backend('GET', '/api/credentials')).status).toBe(401)
    const next = await used.docent.request('GET', '/api/credentials', undefined, { key: changed.body.clientSecret })
    expect(next).toMatchObject({ status: 200, body: changed.body })
    const wrong = await portal('PUT', '/api/credentials', { action: 'forget' })
    expect(wrong).toMatchObject({
      status: 400,
      body: { error: 'invalid_input', message: 'action must be regenerate_secret.' },
    })
  })

  test('refuses the portal with an API key, from a foreign page and with an unknown secret', async () => {
    const { portal } = await account()
    const { key } = used.docent
    const refused = { status: 401, body: { error: 'developer_unauthorized' } }
    for (const [method, path] of [
      ['GET', '/api/credentials'],
      ['PUT', '/api/credentials'],
      ['GET', '/api/configurations'],
      ['POST', '/api/configurations'],
    ] as const) {
      for (const secret of [key, null, newSecret('dcs_').plaintext, 'dcs_', 'x']) {
        expect(
          await used.docent.request(method, path, method === 'GET' ? undefined : {}, { key: secret }),
        ).toMatchObject(refused)
      }
      for (const site of ['cross-site', 'same-site']) {
        const answer = await portal(method, path, method === 'GET' ? undefined : {}, { 'sec-fetch-site': site })
        expect(answer).toMatchObject({ status: 403, body: { error: 'origin_not_allowed' } })
      }
    }
    const unknownSender = { 'sec-fetch-site': 'none' }
    expect((await portal('POST', '/api/configurations', {}, unknownSender)).status).toBe(403)
  })

  test('mints an attribution token from a backend, and no caller learns which part was wrong', async () => {
    const { backend, clientId, clientSecret } = await account()
    const other = await account()
    const mint = (body: unknown, key: string | null = clientSecret, headers = {}) =>
      used.docent.request('POST', '/api/attribution/token', body, { key, headers })

    const before = Date.now()
    const { status, body } = await mint({ clientId, endUserId: 'user-42' })
    expect([status, body]).toEqual([
      200,
      { token: expect.stringMatching(/^dav1_/), expiresAt: ISO, expiresInSeconds: 900 },
    ])
    const lifetime = Date.parse(body.expiresAt) - before
    expect(Math.abs(lifetime - 900_000)).toBeLessThan(30_000)
    expect((await mint({ clientId })).body.token).not.toBe(body.token)

    expect(await mint('{')).toMatchObject({ status: 400, body: { error: 'The request body must be a JSON object' } })
    for (const body of ['[]', '', ' \n', undefined]) {
      expect(await mint(body)).toMatchObject({ status: 400, body: { error: 'The request body must be a JSON object' } })
    }
    expect(await mint({ clientId, endUserId: 'x'.repeat(256) })).toMatchObject({ status: 400 })
    const fromPage = await mint({ clientId }, clientSecret, { origin: 'https://docs.example.com' })
    expect(fromPage).toMatchObject({ status: 403, body: { error: 'browser_not_allowed' } })
    expect((await mint('{', null, { origin: 'null' })).status).toBe(403)

    const refusals = [
      await mint({ clientId }, null),
      await mint({ clientId }, newSecret('dcs_').plaintext),
      await mint({ clientId }, 'dcs_short'),
      await mint({ clientId }, used.docent.key),
      await mint({ clientId: 'dci_unknown' }),
      await mint({ clientId: other.clientId }),
      await mint({ clientId: [clientId] }),
      await mint({}),
      await mint('{', null),
      await used.docent.request(
        'POST',
        '/api/attribution/token',
        { clientId: 'dci_unknown' },
        { key: other.clientSecret },
      ),
    ]
    expect(refusals.map(({ status: refused }) => refused)).toEqual(refusals.map(() => 401))
    expect(new Set(refusals.map(({ text }) => text)).size).toBe(1)
    const headersOf = ({ headers }: { headers: Headers }) => [...headers].filter(([name]) => name !== 'date')
    expect(new Set(refusals.map((one) => JSON.stringify(headersOf(one)))).size).toBe(1)
    expect((await backend('GET', '/api/attribution/token')).status).toBe(405)
  })

  test('mints a limited number of attribution tokens in a minute', async () => {
    const { backend, clientId, email } = await account()
    const other = await account()
    const mint = () => backend('POST', '/api/attribution/token', { clientId })
    const { limit, windowMs } = ATTRIBUTION_LIMIT
    await useUp(used.docent, { operation: 'attributionTokens.create', limit, windowMs, email, times: limit - 1 })
    expect((await mint()).status).toBe(200)
    const refused = await mint()
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect(refused.body.error).toMatch(/^Too many requests/)
    const ofOther = await other.backend('POST', '/api/attribution/token', { clientId: other.clientId })
    expect(ofOther.status).toBe(200)
  })
})

test('names the address of the SDK interface, and knows it as its own', async () => {
  const environment = { DOCENT_SDK_PUBLIC_URL: 'http://10.9.8.7/', DOCENT_ALLOW_NETWORKS: '' }
  await using docent = await startDocent({ environment })
  const { paths } = (await docent.request('GET', '/openapi.json')).body
  const [sdk, management] = [paths['/api/credentials'], paths['/api/mcp/list']]
  expect([sdk.servers, management.servers]).toEqual([[{ url: 'http://10.9.8.7' }], undefined])
  const sources = [{ url: 'http://10.9.8.7/embed' }]
  const refused = await docent.request('POST', '/api/mcp/create', { name: 'itself', sources })
  expect(refused).toMatchObject({ status: 400, body: { message: expect.stringContaining('this service itself') } })
})

test('offers no credentials and no signatures without the encryption key', async () => {
  await using docent = await startDocent({ environment: { DOCENT_SECRET_KEY: 'k'.repeat(32) } })
  const { portal, clientId, clientSecret } = await portalOf(docent, 'someone')
  // As after a restart with another key.
  await docent.inStore(({ write }) => write.updateTable('secretKeys').set({ id: 'gone' }).execute())
  const token = await docent.request('POST', '/api/attribution/token', { clientId }, { key: clientSecret })
  expect(token).toMatchObject({ status: 503, body: { error: 'signing_unavailable' } })
  const changed = await portal('PUT', '/api/credentials', { action: 'regenerate_secret' })
  expect(changed).toMatchObject({ status: 503, body: { error: 'credentials_unavailable' } })
})
