import { createAccount } from '#auth/accounts.ts'
import { loadSecrets } from '#config.ts'
import { checkProviders } from '../../../cli/src/doctor/check-providers.ts'
import { CLOCK_TOLERANCE_S } from '#upstream/sign-in-provider.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { type FakeProvider, startProvider } from '../support/service/fake-provider.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { openSessionOf } from '../support/service/open-browser.ts'
import { openBrowser } from '../support/service/provider-browser.ts'
import { PASSWORD } from '../support/service/sign-in.ts'

const ROLES = { admins: 'owner', writers: 'editor', staff: 'viewer' }
const signInWithPassword = (docent: Docent, email: string) =>
  docent.request('POST', '/api/sessions', { email, password: PASSWORD }, { key: null })

onSqliteAtLeast('sign-in with a provider', (engine) => {
  let provider: FakeProvider
  let docent: Docent
  beforeAll(async () => {
    provider = await startProvider()
    const usual = { issuer: provider.issuer, clientId: 'docent', clientSecret: 'of docent' }
    const providers = [
      { id: 'plain', name: 'Plain', ...usual },
      { id: 'corp', name: 'Corp', roles: ROLES, ...usual },
      { id: 'vouched', name: 'Vouched', trustAddresses: true, ...usual },
      { id: 'away', name: 'Away', ...usual, issuer: 'http://127.0.0.1:19151' },
    ]
    const environment = { DOCENT_RATE_LIMITS: 'off', DOCENT_SIGN_IN_PROVIDERS: JSON.stringify(providers) }
    docent = await startDocent({ engine, environment })
  })
  afterAll(async () => {
    await docent[Symbol.asyncDispose]()
    await provider[Symbol.asyncDispose]()
  })
  beforeEach(() => {
    Object.assign(provider.next, { token: {}, user: null, status: 200 })
  })

  let made = 0
  /** Claims of a person whom nobody knows yet. */
  const person = (more: object = {}) => {
    const name = `person${++made}`
    return { sub: name, email: `${name}@corp.test`, email_verified: true, ...more }
  }

  const account = (email: string, isConfirmed = true) =>
    docent.inStore((store) => createAccount(store, { email, password: PASSWORD, plan: 'unlimited', isConfirmed }))

  async function signIn(claims: object, { id = 'plain', browser = openBrowser(() => docent), next = '/servers' } = {}) {
    provider.next.token = { ...claims }
    const begun = await browser.send(`/oidc/${id}/start?next=${encodeURIComponent(next)}`)
    const returned = await browser.send(provider.allow(begun.to).href)
    return { browser, ...returned }
  }
  const lastAudit = async (accountId: string) =>
    docent.inStore(({ read }) =>
      read
        .selectFrom('auditEntries')
        .select(['action', 'credential', 'credentialId', 'details'])
        .where('accountId', '=', accountId)
        .orderBy('id', 'desc')
        .execute(),
    )

  test('links an account by its confirmed address, and knows the person by the subject afterwards', async () => {
    const ann = person()
    const { id } = await account(ann.email)
    const first = await signIn({ ...ann, email: ann.email.toUpperCase() }, { next: '/servers?page=2' })
    expect(first).toMatchObject({ status: 303, to: `${docent.url}/servers?page=2` })
    expect(await first.browser.account()).toMatchObject({ email: ann.email, role: 'owner' })
    expect((await lastAudit(id))[0]).toMatchObject({ action: 'sessions.create', details: '{"provider":"plain"}' })

    const second = await signIn({ ...ann, email: 'moved@corp.test', email_verified: false })
    expect(await second.browser.account()).toMatchObject({ email: ann.email })
    // An account that was confirmed before keeps its password.
    expect((await signInWithPassword(docent, ann.email)).status).toBe(200)
  })

  test('sends the request with PKCE, state and nonce, and the secret only to the token endpoint', async () => {
    const ann = person()
    await account(ann.email)
    const browser = openBrowser(() => docent)
    const { to } = await browser.send('/oidc/plain/start')
    const asked = new URL(to).searchParams
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: 'code',
      client_id: 'docent',
      scope: 'openid email profile',
      code_challenge_method: 'S256',
      redirect_uri: `${docent.url}/oidc/plain/callback`,
    })
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked.get(name)).toMatch(/^[\w-]{43}$/)
    expect(to).not.toContain('of+docent')
    provider.next.token = ann
    await browser.send(provider.allow(to).href)
    expect(provider.asked.at(-1)?.get('client_secret')).toBe('of docent')
    expect(provider.asked.at(-1)?.get('code_verifier')).toMatch(/^[\w-]{43}$/)
  })

  test.each([
    ['says that the address is not confirmed', { email_verified: false }],
    ['does not say that the address is confirmed', { email_verified: undefined }],
  ])('refuses to link an account if the provider %s', async (_, more) => {
    const ann = person(more)
    await account(ann.email)
    const { browser, status, text } = await signIn(ann)
    expect([status, text]).toEqual([403, expect.stringContaining('Plain has not confirmed that')])
    expect(await browser.account()).toBe(null)
    // The operator can vouch for a provider that does not say it, but not for what one denies.
    const vouched = await signIn(ann, { id: 'vouched' })
    expect(vouched.status).toBe('email_verified' in more && more.email_verified === undefined ? 303 : 403)
  })

  test('reads the address from the user endpoint if the ID token has none', async () => {
    const ann = person()
    await account(ann.email)
    const { status } = await signIn({ sub: ann.sub })
    expect(status).toBe(403)
    await using other = await startProvider()
    other.next.user = { sub: ann.sub, email: ann.email, email_verified: 'true' }
    other.next.token = { sub: ann.sub }
    const settings = [{ id: 'other', name: 'Other', issuer: other.issuer, clientId: 'docent' }]
    await using second = await startDocent({ environment: { DOCENT_SIGN_IN_PROVIDERS: JSON.stringify(settings) } })
    await second.makeKey(ann.email)
    const browser = openBrowser(() => second)
    await browser.send(other.allow((await browser.send('/oidc/other/start')).to).href)
    expect(await browser.account()).toMatchObject({ email: ann.email })
    // Of a client without a secret, none is sent.
    expect(other.asked[0]?.get('client_secret')).toBe(null)
    // The provider names one person in its token and another in its user information.
    other.next.user = { sub: 'somebody else', email: ann.email, email_verified: true }
    const again = openBrowser(() => second)
    const refused = await again.send(other.allow((await again.send('/oidc/other/start')).to).href)
    expect([refused.status, await again.account()]).toEqual([403, null])
  })

  test('ends what an earlier holder of an unconfirmed address could use, unless this browser is signed in', async () => {
    const [ann, bob] = [person(), person()]
    const [ofAnn, ofBob] = [await account(ann.email, false), await account(bob.email, false)]
    const key = async (cookie: string) => {
      const sent = { cookie, 'sec-fetch-site': 'same-origin' }
      const { body } = await docent.request('POST', '/api/keys', { name: 'Key' }, { key: null, headers: sent })
      return body.plaintext as string
    }
    const cookieOf = async (email: string) =>
      (await signInWithPassword(docent, email)).headers.get('set-cookie')?.split(';')[0] ?? ''
    const [cookie, kept] = [await cookieOf(ann.email), await cookieOf(bob.email)]
    const [lost, stays] = [await key(cookie), await key(kept)]

    await signIn(ann)
    const usable = async (auth: string) =>
      (await docent.request('GET', '/api/billing/usage', undefined, { key: auth })).status
    expect([(await signInWithPassword(docent, ann.email)).status, await usable(lost)]).toEqual([401, 401])
    expect((await docent.request('GET', '/api/sessions', undefined, { key: null, headers: { cookie } })).status).toBe(
      401,
    )

    const browser = openBrowser(() => docent)
    browser.cookies.set(...(kept.split('=') as [string, string]))
    await signIn(bob, { browser })
    expect([(await signInWithPassword(docent, bob.email)).status, await usable(stays)]).toEqual([200, 200])
    expect(ofAnn.id).not.toBe(ofBob.id)
  })

  test('makes the role that of the groups at each sign-in, and removes a member without any', async () => {
    const ann = person()
    const operator = await docent.inStore(({ read }) =>
      read.selectFrom('accounts').selectAll().where('isOperator', '=', 1).executeTakeFirstOrThrow(),
    )
    const as = async (groups: unknown) => {
      const { browser, status } = await signIn({ ...ann, groups }, { id: 'corp' })
      return status === 303 ? (await browser.account())?.['role'] : status
    }
    expect(await as(['strangers'])).toBe(403)
    expect(await as(['staff', 'strangers'])).toBe('viewer')
    expect(await as(['staff', 'writers'])).toBe('editor')
    const { browser } = await signIn({ ...ann, groups: 'admins' }, { id: 'corp' })
    expect(await browser.account()).toMatchObject({ role: 'owner', isOperator: true, name: operator.name })
    expect(await as(['staff'])).toBe('viewer')
    // The open session has the new role too.
    expect(await browser.account()).toMatchObject({ role: 'viewer', isOperator: false })
    expect(await as([])).toBe(403)
    expect(await browser.account()).toBe(null)
    const acts = (await lastAudit(operator.id)).filter(({ credential }) => credential === 'provider')
    expect(acts.map(({ action, details }) => `${action} ${details}`)).toEqual([
      'members.remove null',
      'members.change {"role":"viewer"}',
      'members.change {"role":"owner"}',
      'members.change {"role":"editor"}',
      'members.change {"role":"viewer"}',
    ])
  })

  test('leaves the last owner one, and members by invitation without a group as they are', async () => {
    const boss = { ...person(), email: 'owner@example.test' }
    const last = await signIn({ ...boss, groups: ['staff'] }, { id: 'corp' })
    expect(await last.browser.account()).toMatchObject({ role: 'owner', isOperator: true })
    const bob = person()
    const { body } = await docent.request('POST', '/api/members/invitations', { email: bob.email, role: 'editor' })
    const browser = openBrowser(() => docent)
    const begin = (site: string) =>
      browser.send(
        '/oidc/corp/start',
        { method: 'POST', body: JSON.stringify({ invitation: String(body.link).split('#')[1] }) },
        site,
      )
    expect((await begin('cross-site')).status).toBe(403)
    const { url } = JSON.parse((await begin('same-origin')).text) as { url: string }
    provider.next.token = person()
    const wrong = await browser.send(provider.allow(url).href)
    expect([wrong.status, wrong.text]).toEqual([403, expect.stringContaining(`is for ${bob.email}`)])
    const again = JSON.parse((await begin('same-origin')).text) as { url: string }
    provider.next.token = bob
    await browser.send(provider.allow(again.url).href)
    expect(await browser.account()).toMatchObject({ email: bob.email, role: 'editor' })
    await signIn({ ...bob, groups: ['strangers'] }, { id: 'corp' })
    expect(await browser.account()).toMatchObject({ role: 'editor' })
  })

  const now = () => Math.floor(Date.now() / 1000)
  const HOUR = 3_600
  test.each<[string, object, number]>([
    ['of another nonce', { nonce: 'other' }, 403],
    ['without a nonce', { nonce: undefined }, 403],
    ['of another issuer', { iss: 'https://other.example' }, 403],
    ['for another client', { aud: 'other' }, 403],
    ['that has expired', { iat: -HOUR, exp: -CLOCK_TOLERANCE_S - 5 }, 403],
    ['that has expired within the tolerance', { iat: -HOUR, exp: -CLOCK_TOLERANCE_S + 20 }, 303],
    ['that is valid later', { nbf: CLOCK_TOLERANCE_S + 20 }, 403],
    ['that is valid within the tolerance', { nbf: CLOCK_TOLERANCE_S - 20 }, 303],
  ])('answers an ID token %s', async (_, more, status) => {
    const ann = person()
    await account(ann.email)
    const claims = Object.fromEntries(
      Object.entries(more).map(([name, value]) => [name, typeof value === 'number' ? now() + value : value]),
    )
    const answer = await signIn({ ...ann, ...claims })
    expect(answer.status).toBe(status)
    expect((await answer.browser.account())?.['email'] ?? null).toBe(status === 303 ? ann.email : null)
  })

  test('refuses an ID token that another key has signed', async () => {
    const ann = person()
    await account(ann.email)
    const { key } = provider.next
    provider.next.key = provider.strange
    expect((await signIn(ann)).status).toBe(403)
    provider.next.key = key
    expect((await signIn(ann)).status).toBe(303)
  })

  test.each<[string, Record<string, string>]>([
    ['another state', { state: 'other' }],
    ['another issuer', { iss: 'https://other.example' }],
    ['a refusal', { error: 'access_denied' }],
  ])('refuses a browser that comes back with %s', async (_, more) => {
    const ann = person()
    await account(ann.email)
    provider.next.token = ann
    const browser = openBrowser(() => docent)
    const back = provider.allow((await browser.send('/oidc/plain/start')).to, more)
    expect((await browser.send(back.href)).status).toBe(403)
    expect(await browser.account()).toBe(null)
  })

  test('refuses a browser that did not begin, began with another provider, or comes back twice', async () => {
    const ann = person()
    await account(ann.email)
    provider.next.token = ann
    const browser = openBrowser(() => docent)
    const { href } = provider.allow((await browser.send('/oidc/plain/start')).to)
    expect((await openBrowser(() => docent).send(href)).status).toBe(403)
    expect((await browser.send(href.replace('/plain/', '/corp/'))).status).toBe(403)
    const next = provider.allow((await browser.send('/oidc/plain/start')).to).href
    expect((await browser.send(next)).status).toBe(303)
    expect((await browser.send(next)).status).toBe(403)
  })

  test.each(['https://evil.example/', '//evil.example/', '/\\evil.example', 'javascript:alert(1)', 'x'.repeat(2_100)])(
    'returns to no other place than this service: %s',
    async (next) => {
      const ann = person()
      await account(ann.email)
      expect((await signIn(ann, { next })).to).toBe(`${docent.url}/`)
    },
  )

  test('says that a provider is away, while passwords still work', async () => {
    const ann = person()
    await account(ann.email)
    const browser = openBrowser(() => docent)
    const away = await browser.send('/oidc/away/start')
    expect([away.status, away.text]).toEqual([422, expect.stringContaining('Away cannot be reached now.')])
    provider.next.token = ann
    const { to } = await browser.send('/oidc/plain/start')
    provider.next.status = 500
    const broken = await browser.send(provider.allow(to).href)
    expect([broken.status, broken.text]).toEqual([422, expect.stringContaining('Plain does not answer')])
    expect((await signInWithPassword(docent, ann.email)).status).toBe(200)
    expect((await browser.send('/oidc/unknown/start')).status).toBe(404)
  })

  test('lists the providers, and offers them on the page that connects clients', async () => {
    expect((await docent.request('GET', '/api/setup', undefined, { key: null })).body).toMatchObject({
      passwords: true,
      providers: [{ id: 'plain', name: 'Plain' }, { id: 'corp' }, { id: 'vouched' }, { id: 'away' }],
    })
    const ann = person()
    await account(ann.email)
    const asked = '/oauth/authorize?response_type=code&client_id=x'
    const browser = openBrowser(() => docent)
    const { text } = await browser.send(asked)
    const link = /href="(\/oidc\/plain\/start\?next=[^"]+)"/.exec(text)?.[1] ?? ''
    provider.next.token = ann
    const back = await browser.send(provider.allow((await browser.send(link)).to).href)
    expect(back.to).toBe(docent.url + asked)
  })
})

describe('without passwords', () => {
  test('signs in with the provider alone, makes accounts where sign-ups are on, and limits attempts', async () => {
    await using provider = await startProvider()
    const settings = [{ id: 'corp', name: 'Corp', issuer: provider.issuer, clientId: 'docent' }]
    const environment = {
      DOCENT_SIGN_IN_PROVIDERS: JSON.stringify(settings),
      DOCENT_PASSWORD_SIGN_IN: 'off',
      DOCENT_SIGNUPS: 'on',
    }
    await using docent = await startDocent({ environment })
    const send = (path: string, body: object) => docent.request('POST', path, body, { key: null })
    const { body } = await docent.request('POST', '/api/members/invitations', { email: 'a@b.test', role: 'viewer' })
    const given = { email: 'owner@example.test', password: PASSWORD }
    const token = String(body.link).split('#')[1]
    const answers = [
      await send('/api/sessions', given),
      await send('/api/accounts', given),
      await send('/api/invitations/accept', { token, password: PASSWORD }),
    ]
    const session = await openSessionOf(docent, 'owner@example.test')
    const headers = { cookie: `docent_session=${session.secret}`, 'sec-fetch-site': 'same-origin' }
    const asOwner = (method: string, path: string, sent?: object) =>
      docent.request(method, path, sent, { key: null, headers })
    const { accounts } = (await asOwner('GET', '/api/instance/accounts')).body
    answers.push(
      await asOwner('PUT', '/api/account/password', { current: PASSWORD, password: 'another horse battery' }),
      // The person could not use the link, and would have lost every session.
      await asOwner('POST', `/api/instance/accounts/${accounts[0].id}/reset`),
    )
    expect(answers.map((answer) => [answer.status, answer.body.error])).toEqual(
      answers.map(() => [403, 'password_sign_in_off']),
    )
    expect((await asOwner('GET', '/api/sessions')).status).toBe(200)
    const browser = openBrowser(() => docent)
    provider.next.token = { email: 'new@corp.test', email_verified: true }
    await browser.send(provider.allow((await browser.send('/oidc/corp/start')).to).href)
    expect(await browser.account()).toMatchObject({ email: 'new@corp.test', role: 'owner', plan: 'free' })
    const statuses = []
    for (let i = 0; i < 100; i++) statuses.push((await browser.send('/oidc/corp/start')).status)
    expect([statuses.indexOf(429), statuses.filter((status) => status === 429).length]).toEqual([99, 1])
    // One sign-in has ended above. A browser can keep its cookie and come back with it.
    const kept = [...browser.cookies]
    const ends = []
    for (let i = 0; i < 100; i++) {
      for (const [name, value] of kept) browser.cookies.set(name, value)
      ends.push((await browser.send('/oidc/corp/callback?error=access_denied&state=x')).status)
    }
    expect([ends.indexOf(429), ends.filter((status) => status === 403).length]).toEqual([99, 99])
  })
})

describe('the settings of providers', () => {
  const USUAL = { id: 'corp', name: 'Corp', issuer: 'https://login.example.test', clientId: 'docent' }
  const load = (providers: string, more: Record<string, string> = {}) =>
    loadSecrets({ DOCENT_SIGN_IN_PROVIDERS: providers, ...more }).signInProviders

  test('have defaults', () => {
    expect(load(JSON.stringify([USUAL]))).toEqual([
      { ...USUAL, scope: 'openid email profile', groupsClaim: 'groups', roles: {}, trustAddresses: false },
    ])
    expect(loadSecrets({}).signInProviders).toEqual([])
  })

  test.each([
    ['are no JSON', '[', 'JSON list'],
    ['have another name of a member', JSON.stringify([{ ...USUAL, secret: 'hidden' }]), 'See 0'],
    ['have no address', JSON.stringify([{ ...USUAL, issuer: 'login.example.test' }]), 'See 0.issuer'],
    ['have an unknown role', JSON.stringify([{ ...USUAL, roles: { staff: 'boss' } }]), 'See 0.roles.staff'],
    ['have an id that is no part of an address', JSON.stringify([{ ...USUAL, id: 'a/b' }]), 'See 0.id'],
    ['have one id twice', JSON.stringify([USUAL, USUAL]), 'the same id'],
  ])('are refused if they %s, without their values', (_, providers, why) => {
    expect(() => load(providers)).toThrow(why)
    expect(() => load(providers)).not.toThrow('hidden')
  })

  test('are needed to switch passwords off', () => {
    expect(() => loadSecrets({ DOCENT_PASSWORD_SIGN_IN: 'off' })).toThrow('nobody could sign in')
    expect(load(JSON.stringify([USUAL]), { DOCENT_PASSWORD_SIGN_IN: 'off' })).toHaveLength(1)
  })

  test('are checked by docent doctor, which asks each provider', async () => {
    await using provider = await startProvider()
    const providers = [
      { ...USUAL, id: 'here', name: 'Here', issuer: provider.issuer },
      { ...USUAL, id: 'away', name: 'Away', issuer: 'http://127.0.0.1:19151' },
    ]
    const findings = await checkProviders({ signInProviders: load(JSON.stringify(providers)) })
    expect(findings).toMatchObject([
      { state: 'warning', detail: expect.stringContaining('without encryption') },
      { state: 'problem', detail: expect.stringContaining('Away cannot be reached now.') },
    ])
  })
})
