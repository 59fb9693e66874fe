import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLinkedTokens } from '#auth/linked-tokens.ts'
import { openVault } from '#auth/secret-keys.ts'
import { findAccountByEmail } from '#store/accounts/accounts.ts'
import { findLinkedAccount } from '#store/accounts/linked-accounts.ts'
import { onBothEngines } from '../support/database/engines.ts'
import { APP, type GithubLogin, startGithubLogin } from '../support/sites/github-login.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { openBrowser } from '../support/service/open-browser.ts'

const SECRET_KEY = 'a-secret-key-that-is-only-used-in-tests'
const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT/)
const NOWHERE = 'http://127.0.0.1:19151/'

onBothEngines('GitHub app', (engine) => {
  let github: GithubLogin
  let docent: Docent
  let host = ''
  beforeAll(async () => {
    github = await startGithubLogin()
    host = new URL(github.url).host
    docent = await startDocent({
      engine,
      environment: {
        DOCENT_RATE_LIMITS: 'off',
        DOCENT_SECRET_KEY: SECRET_KEY,
        DOCENT_GITHUB_API_URL: github.url,
        DOCENT_GITHUB_CLIENT_ID: APP.clientId,
        DOCENT_GITHUB_CLIENT_SECRET: APP.clientSecret,
      },
    })
  })
  afterAll(async () => {
    for (const part of [docent, github]) await part[Symbol.asyncDispose]()
  })

  const path = () => `/api/linked-accounts/${host}`
  const linkedAccountOf = (email: string) =>
    docent.inStore(async ({ read }) => {
      const account = await findAccountByEmail(read, email)
      return findLinkedAccount(read, account?.id ?? '', host)
    })

  test('links the account of the user who authorises it and gives access to its private repositories', async () => {
    github.lifetime = null
    const { as, comeBack, key } = await openBrowser(docent)
    expect((await as('GET', path())).body).toMatchObject({ linked: false, via: null, appAvailable: true })
    const { status, body } = await as('POST', `${path()}/authorization`)
    expect([status, body]).toEqual([200, { authorizeUrl: expect.stringContaining(github.url), expiresAt: ISO }])
    const asked = new URL(body.authorizeUrl).searchParams
    expect(Object.fromEntries(asked)).toEqual({
      client_id: APP.clientId,
      redirect_uri: `${docent.url}/oauth/${host}/callback`,
      scope: 'repo',
      state: expect.stringMatching(/^[0-9A-Za-z]{32}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    const back = await comeBack(host, github.allow(body.authorizeUrl))
    expect([back.status, back.headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8'])
    expect(back.text).toContain('The account is linked')
    expect(back.headers.get('referrer-policy')).toBe('no-referrer')
    const shown = await as('GET', path())
    expect(shown.body).toEqual({ host, linked: true, login: 'octo', linkedAt: ISO, via: 'app', appAvailable: true })
    expect(shown.text + back.text).not.toContain('canary')

    const repository = { name: 'R', sources: [{ url: `${github.url}/acme/secret`, type: 'repo' }] }
    const { body: made } = await docent.request('POST', '/api/mcp/create', repository, { key })
    expect(made).toMatchObject({ visibility: 'private' })
    expect((await as('DELETE', path())).body).toEqual({ ok: true, removed: 1 })
  })

  test('rejects a state that is used, expired, forged, another user’s or from another session', async () => {
    github.lifetime = null
    const { as, comeBack, secret, signIn, email } = await openBrowser(docent)
    const stranger = await openBrowser(docent)
    const begin = async () => github.allow((await as('POST', `${path()}/authorization`)).body.authorizeUrl)
    const refused = async (query: Record<string, string>, session: string | null = secret) => {
      const { status, text } = await comeBack(host, query, session)
      expect(text).toContain('The account was not linked')
      return [status, /<p>(.*?)<\/p>/.exec(text)?.[1]]
    }
    const unknown = [400, 'This link was not begun here, was used already, or took too long. Begin it again.']
    const asked = github.asked
    const given = await begin()
    expect(await refused(given, stranger.secret)).toEqual(unknown)
    expect(await refused(given, (await signIn()).secret)).toEqual(unknown)
    expect(await refused(given, null)).toEqual([401, 'You are not signed in to Docent in this browser.'])
    expect(await refused({ ...given, state: 'x'.repeat(32) })).toEqual(unknown)
    expect((await refused({ code: given.code }))[0]).toBe(400)
    const late = await begin()
    await docent.inStore(({ write }) =>
      write
        .updateTable('linkAttempts')
        .set({ expiresAt: Date.now() - 60_000 })
        .execute(),
    )
    expect(await refused(late)).toEqual(unknown)
    expect(github.asked).toBe(asked)
    const good = await begin()
    expect((await comeBack(host, good)).status).toBe(200)
    expect(await refused(good)).toEqual(unknown)
    expect((await linkedAccountOf(stranger.email))?.id).toBeUndefined()
    expect((await linkedAccountOf(email))?.login).toBe('octo')
  })

  test('shows GitHub’s error and repeats no text from the query string', async () => {
    github.lifetime = null
    const { as, comeBack } = await openBrowser(docent)
    const begin = async () => github.allow((await as('POST', `${path()}/authorization`)).body.authorizeUrl)
    const { state } = await begin()
    const denied = await comeBack(host, { state, error: 'access_denied', error_description: '<b>no</b>' })
    expect([denied.status, denied.text]).toEqual([422, expect.stringContaining('did not give access (access_denied)')])
    const odd = await comeBack(host, { state: (await begin()).state, error: '<script>alert(1)</script>' })
    expect(odd.text).not.toMatch(/<script|<b>/)
    const wrong = await comeBack(host, { ...(await begin()), code: 'made-up' })
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('(bad_verification_code)')])
    // With another user's code the PKCE verifier does not match.
    const [mine, theirs] = [await begin(), await begin()]
    expect((await comeBack(host, { state: mine.state, code: theirs.code })).status).toBe(422)
    expect((await as('GET', path())).body.linked).toBe(false)
  })

  test('lets an account-wide key authorise the app but not a scoped one', async () => {
    github.lifetime = null
    const { key, email } = await openBrowser(docent)
    const server = { name: 'A', sources: [{ url: NOWHERE }] }
    const { serverId } = (await docent.request('POST', '/api/mcp/create', server, { key })).body
    const scoped = await docent.makeKey(email, [serverId])
    const ask = (method: string, body?: unknown, with_ = key) =>
      docent.request(method, `${path()}/authorization`, body, { key: with_ })
    expect(await ask('POST', undefined, scoped)).toMatchObject({ status: 403, body: { error: 'key_scoped' } })
    const given = github.allow((await ask('POST')).body.authorizeUrl)
    expect(await ask('PUT', given, scoped)).toMatchObject({ status: 403 })
    expect((await ask('PUT', given)).body).toMatchObject({ linked: true, login: 'octo', via: 'app' })
    expect(await ask('PUT', given)).toMatchObject({ status: 400, body: { error: 'link_attempt_unknown' } })
  })

  test('refreshes a token about to expire once, however many requests need it', async () => {
    github.lifetime = 8 * 60 * 60
    const { as, comeBack, email, key } = await openBrowser(docent)
    await comeBack(host, github.allow((await as('POST', `${path()}/authorization`)).body.authorizeUrl))
    const repository = { name: 'R', sources: [{ url: `${github.url}/acme/secret`, type: 'repo' }] }
    const create = () => docent.request('POST', '/api/mcp/create', repository, { key })
    const handedOut = github.tokens.length
    const first = await create()
    expect(first.body.visibility).toBe('private')
    // Indexing uses the token too.
    await docent.untilDone(first.body.serverId)
    expect(github.tokens).toHaveLength(handedOut)

    // Not those of other accounts: indexing their repositories would refresh them too.
    const id = (await linkedAccountOf(email))?.id ?? ''
    const expire = (ms: number) =>
      docent.inStore(({ write }) =>
        write
          .updateTable('linkedAccounts')
          .set({ expiresAt: Date.now() + ms })
          .where('id', '=', id)
          .execute(),
      )
    await docent.inStore(async (store) => {
      const { vault } = await openVault(store, { secretKeys: [SECRET_KEY], keyFile: null })
      const tokens = createLinkedTokens({ store, vault, refresh: () => expect.unreachable() })
      expect((await linkedAccountOf(email))?.sealed).not.toContain('canary')
      await expire(11 * 60_000)
      const account = await linkedAccountOf(email)
      expect(account && (await tokens.tokenOf(account))).toBe(github.tokens.at(-1))
    })
    await expire(9 * 60_000)
    const made = await Promise.all([create(), create(), create(), create()])
    expect(made.map(({ body }) => body.visibility)).toEqual(['private', 'private', 'private', 'private'])
    expect(github.tokens).toHaveLength(handedOut + 1)
    const account = await linkedAccountOf(email)
    expect([account?.refreshingUntil, Number(account?.expiresAt) - Date.now() > 7 * 60 * 60 * 1000]).toEqual([0, true])
  })

  test('asks for a new link when the refresh token is no longer valid', async () => {
    github.lifetime = 8 * 60 * 60
    const { as, comeBack, key } = await openBrowser(docent)
    await comeBack(host, github.allow((await as('POST', `${path()}/authorization`)).body.authorizeUrl))
    // The refresh token was already used elsewhere.
    github.lifetime = null
    const other = await openBrowser(docent)
    const begun = await other.as('POST', `${path()}/authorization`)
    await other.comeBack(host, github.allow(begun.body.authorizeUrl))
    await docent.inStore(({ write }) =>
      write
        .updateTable('linkedAccounts')
        .set({ expiresAt: Date.now() - 60_000 })
        .where('expiresAt', 'is not', null)
        .execute(),
    )
    const { slug } = (
      await docent.request('POST', '/api/mcp/create', { name: 'A', sources: [{ url: NOWHERE }] }, { key })
    ).body
    const source = { url: `${github.url}/acme/secret`, type: 'repo' }
    const { status, body } = await docent.request('POST', `/api/mcp/${slug}/sources`, source, { key })
    expect([status, body]).toEqual([
      422,
      {
        error: 'repo_access_failed',
        message: expect.stringMatching(/expired.*\(bad_refresh_token\)\. Link the account again\.$/),
        owner: 'acme',
        repo: 'secret',
        hasGithubLink: true,
        isPrivate: false,
      },
    ])
  })
})

test('refuses to start an authorisation when no app is configured', async () => {
  await using docent = await startDocent()
  const { as, comeBack } = await openBrowser(docent)
  expect(await as('POST', '/api/linked-accounts/github.com/authorization')).toMatchObject({
    status: 503,
    body: { error: 'link_not_configured' },
  })
  expect((await as('GET', '/api/linked-accounts/github.com')).body.appAvailable).toBe(false)
  expect((await comeBack('github.com', { state: 'x', code: 'y' })).status).toBe(503)
  expect((await comeBack('nowhere', { state: 'x', code: 'y' })).status).toBe(404)
})
