import { afterAll, beforeAll, expect, test } from 'vitest'
import { newSecret } from '#auth/secret.ts'
import { openSession } from '#auth/sessions.ts'
import { findAccountByEmail } from '#store/accounts/accounts.ts'
import { onBothEngines } from '../support/engines.ts'
import { type Docent, startDocent } from '../support/harness.ts'

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)

/** Requests of an account's portal, which has a session, and of its backend, which has the client secret. */
async function portalOf(docent: Docent, name: string) {
  const email = `${name}@example.test`
  await docent.makeKey(email)
  const { secret } = await docent.inStore(async (store) => {
    const account = await findAccountByEmail(store.read, email)
    return openSession(store, { accountId: account?.id ?? '', userAgent: null, now: Date.now() })
  })
  const portal = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    docent.request(method, path, body, {
      key: null,
      headers: { cookie: `docent_session=${secret}`, 'sec-fetch-site': 'same-origin', ...headers },
    })
  const { clientId, clientSecret } = (await portal('GET', '/api/credentials')).body
  const backend = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    docent.request(method, path, body, { key: clientSecret, headers })
  return { portal, backend, clientId, clientSecret, email }
}

onBothEngines('developer', (engine) => {
  let docent: Docent
  let count = 0
  beforeAll(async () => {
    docent = await startDocent({ engine, environment: { DOCENT_SECRET_KEY: 'k'.repeat(32) } })
  })
  afterAll(() => docent[Symbol.asyncDispose]())
  const account = () => portalOf(docent, `developer-${++count}`)

  test('gets the same credentials on every read, by session and by client secret', async () => {
    const { portal, backend, clientId, clientSecret, email } = await account()
    expect(clientId).toMatch(/^dci_[0-9A-Za-z]{22}$/)
    expect(clientSecret).toMatch(/^dcs_[0-9A-Za-z]{36}$/)
    const expected = { clientId, clientSecret, appName: email.split('@')[0] }
    expect((await portal('GET', '/api/credentials')).body).toEqual(expected)
    expect((await backend('GET', '/api/credentials')).body).toEqual(expected)
  })

  test('gets one profile from concurrent first requests', async () => {
    const { portal, email } = await account()
    await docent.inStore(async ({ write, read }) => {
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
    const next = await docent.request('GET', '/api/credentials', undefined, { key: changed.body.clientSecret })
    expect(next).toMatchObject({ status: 200, body: changed.body })
    const wrong = await portal('PUT', '/api/credentials', { action: 'forget' })
    expect(wrong).toMatchObject({
      status: 400,
      body: { error: 'invalid_input', message: 'action must be regenerate_secret.' },
    })
  })

  test('is refused with an API key, a foreign page and an unknown secret', async () => {
    const { portal } = await account()
    const { key } = docent
    const refused = { status: 401, body: { error: 'developer_unauthorized' } }
    for (const [method, path] of [
      ['GET', '/api/credentials'],
      ['PUT', '/api/credentials'],
      ['GET', '/api/configurations'],
      ['POST', '/api/configurations'],
    ] as const) {
      for (const used of [key, null, newSecret('dcs_').plaintext, 'dcs_', 'x']) {
        expect(await docent.request(method, path, method === 'GET' ? undefined : {}, { key: used })).toMatchObject(
          refused,
        )
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
      docent.request('POST', '/api/attribution/token', body, { key, headers })

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
    expect(await mint('[]')).toMatchObject({ status: 400 })
    expect(await mint({ clientId, endUserId: 'x'.repeat(256) })).toMatchObject({ status: 400 })
    const fromPage = await mint({ clientId }, clientSecret, { origin: 'https://docs.example.com' })
    expect(fromPage).toMatchObject({ status: 403, body: { error: 'browser_not_allowed' } })
    expect((await mint('{', null, { origin: 'null' })).status).toBe(403)

    const refusals = [
      await mint({ clientId }, null),
      await mint({ clientId }, newSecret('dcs_').plaintext),
      await mint({ clientId }, 'dcs_short'),
      await mint({ clientId }, docent.key),
      await mint({ clientId: 'dci_unknown' }),
      await mint({ clientId: other.clientId }),
      await mint({ clientId: [clientId] }),
      await mint({}),
      await mint('{', null),
      await docent.request('POST', '/api/attribution/token', { clientId: 'dci_unknown' }, { key: other.clientSecret }),
    ]
    expect(refusals.map(({ status: refused }) => refused)).toEqual(refusals.map(() => 401))
    expect(new Set(refusals.map(({ text }) => text)).size).toBe(1)
    const headersOf = ({ headers }: { headers: Headers }) => [...headers].filter(([name]) => name !== 'date')
    expect(new Set(refusals.map((one) => JSON.stringify(headersOf(one)))).size).toBe(1)
    expect((await backend('GET', '/api/attribution/token')).status).toBe(405)
  })

  test('saves one configuration for each domain and lists the last updated first', async () => {
    const { portal, backend } = await account()
    expect((await portal('GET', '/api/configurations')).body).toEqual([])
    const tools = '[{"name":"ask_question","enabled":true}]'
    const first = await portal('POST', '/api/configurations', {
      domain: ' Docs.Example.COM ',
      tools,
      layout: 'vertical',
    })
    expect([first.status, first.body]).toEqual([
      200,
      {
        id: expect.stringMatching(/^cfg_/),
        developerId: expect.stringMatching(/^dev_/),
        name: 'docs.example.com',
        domain: 'docs.example.com',
        tools,
        sources: '[]',
        colors: '{}',
        layout: 'vertical',
        fontFamily: '',
        isActive: true,
        createdAt: ISO,
        updatedAt: ISO,
      },
    ])
    const anyPage = await backend('POST', '/api/configurations', { domain: null, fontFamily: 'Open Sans 3' })
    expect(anyPage.body).toMatchObject({
      domain: null,
      name: 'Any page',
      layout: 'horizontal',
      fontFamily: 'Open Sans 3',
    })
    const ids = async () => (await portal('GET', '/api/configurations')).body.map(({ id }: { id: string }) => id)
    expect(await ids()).toEqual([anyPage.body.id, first.body.id])

    const again = await backend('POST', '/api/configurations', {
      domain: 'docs.example.com',
      name: 'Docs',
      isActive: false,
    })
    expect(again.body).toEqual({
      ...first.body,
      name: 'Docs',
      isActive: false,
      updatedAt: expect.not.stringContaining(first.body.updatedAt),
    })
    expect(await ids()).toEqual([first.body.id, anyPage.body.id])
    await portal('POST', '/api/configurations', {})
    expect(await ids()).toEqual([anyPage.body.id, first.body.id])
    expect((await (await account()).portal('GET', '/api/configurations')).body).toEqual([])
  })

  test('saves one configuration from concurrent requests for a domain', async () => {
    const { portal, backend } = await account()
    const save = (send: typeof portal) => send('POST', '/api/configurations', { domain: 'a.example.com' })
    const answers = await Promise.all([portal, backend, portal, backend, portal, backend].map(save))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
    expect((await portal('GET', '/api/configurations')).body).toHaveLength(1)
  })

  const list = (value: unknown) => JSON.stringify([value])
  const tool = (title: string) => list({ name: 'ask_question', enabled: true, title })
  test.each<[field: string, value: unknown, message: string]>([
    ['domain', 'not a domain', 'domain must be a domain such as docs.example.com, without scheme, port and path.'],
    ['domain', 'https://docs.example.com', 'domain must be a domain'],
    ['domain', 'docs.example.com:8080', 'domain must be a domain'],
    ['domain', 'docs..example.com', 'domain must be a domain'],
    ['domain', '-docs.example.com', 'domain must be a domain'],
    ['domain', '127.0.0.1', 'domain must be a domain'],
    ['domain', 'example', 'domain must be a domain'],
    ['domain', `${'a'.repeat(64)}.example.com`, 'domain must be a domain'],
    ['domain', `${'a.'.repeat(125)}example`, 'domain must have at most 253 characters.'],
    ['domain', 5, 'domain must be text.'],
    ['tools', '[{"name":', 'tools must be valid JSON text.'],
    ['tools', [{ name: 'ask_question', enabled: true }], 'tools must be text.'],
    ['tools', '{}', 'tools cannot be used: it must be a list.'],
    ['tools', list({ name: 'ask_question' }), 'tools cannot be used: [0].enabled must be true or false.'],
    ['tools', list({ name: 'ask me', enabled: true }), 'tools cannot be used: [0].name must have 1 to 100 letters'],
    ['tools', list({ enabled: true }), 'tools cannot be used: [0].name must be text.'],
    ['tools', `[${'1,'.repeat(5_000)}1]`, 'tools must have at most 10,000 characters.'],
    ['tools', tool('<script>alert(1)</script>'), 'tools must not contain markup, as [0].title does.'],
    ['tools', '[{"name":"a","enabled":true,"title":"\\u003cimg src=x>"}]', 'tools must not contain markup'],
    [
      'tools',
      list({ name: 'a', enabled: true, also: { '<b>': 1 } }),
      'tools must not contain markup, as [0].also.<b> does.',
    ],
    [
      'sources',
      list({ type: 'docs', enabled: true, note: ' JaVa\tscript:alert(1)' }),
      'sources must not contain a script address',
    ],
    [
      'sources',
      list({ type: 'docs', enabled: true, note: 'data:text/html,x' }),
      'sources must not contain a script address',
    ],
    ['sources', list({ type: 'docs', enabled: 'yes' }), 'sources cannot be used: [0].enabled must be true or false.'],
    [
      'sources',
      list({ type: 'docs', enabled: true, serverId: 'srv_none' }),
      'sources: [0].serverId names no server of the account.',
    ],
    ['sources', '[[[[[[[[[1]]]]]]]]]', 'sources must have at most 8 levels.'],
    ['colors', '[]', 'colors cannot be used: it must be an object of colors.'],
    [
      'colors',
      '{"primary":"#12"}',
      'colors cannot be used: .primary must be a color such as #00665e or rgb(0 102 94).',
    ],
    ['colors', '{"primary":"red;background:url(//x)"}', 'colors cannot be used: .primary must be a color'],
    ['colors', '{"primary":"expression(alert(1))"}', 'colors cannot be used: .primary must be a color'],
    ['layout', 'diagonal', 'layout must be one of horizontal, vertical.'],
    ['fontFamily', 'Arial, sans-serif', 'fontFamily must have only letters, digits and spaces.'],
    ['fontFamily', 'a'.repeat(101), 'fontFamily must have at most 100 characters.'],
  ])('refuses the configuration field %s of %j', async (field, value, message) => {
    const { backend } = await shared()
    const answer = await backend('POST', '/api/configurations', { [field]: value })
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_input'])
    expect(answer.body.message).toContain(message)
  })

  let sharedAccount: ReturnType<typeof account> | undefined
  const shared = () => (sharedAccount ??= account())

  test.each<[field: string, value: unknown]>([
    ['domain', 'xn--bcher-kva.example'],
    ['domain', 'localhost'],
    ['tools', tool('"javascript" <3 onload = 1 & a < b')],
    ['tools', list({ name: 'custom:ct_1', enabled: false, further: null })],
    ['sources', list({ type: 'docs', enabled: true })],
    ['colors', '{"primary":"#3b82f6","background":"#fff","text":"oklch(0.4 0.1 200deg / 50%)","darkText":"white"}'],
    ['fontFamily', ''],
  ])('takes the configuration field %s of %j', async (field, value) => {
    const { backend } = await shared()
    const answer = await backend('POST', '/api/configurations', { [field]: value })
    expect([answer.status, answer.body[field]]).toEqual([200, value])
  })
})

test('has no credentials and no signatures without the encryption key', async () => {
  await using docent = await startDocent({ environment: { DOCENT_SECRET_KEY: 'k'.repeat(32) } })
  const { portal, clientId, clientSecret } = await portalOf(docent, 'someone')
  // As after a restart with another key.
  await docent.inStore(({ write }) => write.updateTable('secretKeys').set({ id: 'gone' }).execute())
  const token = await docent.request('POST', '/api/attribution/token', { clientId }, { key: clientSecret })
  expect(token).toMatchObject({ status: 503, body: { error: 'signing_unavailable' } })
  const changed = await portal('PUT', '/api/credentials', { action: 'regenerate_secret' })
  expect(changed).toMatchObject({ status: 503, body: { error: 'credentials_unavailable' } })
})
