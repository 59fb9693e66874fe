import { afterAll, beforeAll, expect, test } from 'vitest'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { openBrowser } from '../support/service/open-browser.ts'
import { type Page, type Site, startSite } from '../support/sites/site.ts'

const SECRET_KEY = 'a-secret-key-that-is-only-used-in-tests'
const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT/)
const NOWHERE = 'http://127.0.0.1:19151/'

const TOKEN = 'glpat-canary0123456789'

/** A self-hosted GitLab or Gitea with a public and a private project. */
function startOwnHost(kind: 'gitlab' | 'gitea'): Promise<Site> {
  const api = kind === 'gitlab' ? '/api/v4' : '/api/v1'
  const project = (name: string) =>
    kind === 'gitlab' ? `${api}/projects/${encodeURIComponent(name)}` : `${api}/repos/${name}`
  const answer =
    (open: boolean, body: object): Page =>
    (request, response) => {
      const token = request.headers.authorization
      const isKnown = token === `Bearer ${TOKEN}`
      const status = token && !isKnown ? 401 : open || isKnown ? 200 : 404
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(status === 200 ? body : {}))
    }
  const group = kind === 'gitlab' ? 'acme/team' : 'acme'
  return startSite({
    [`${api}/user`]: (request, response) => {
      const token = request.headers.authorization
      const [status, body] =
        token === `Bearer ${TOKEN}`
          ? [200, { username: 'ada', login: 'ada' }]
          : token === 'Bearer reads-only'
            ? [403, { error: 'insufficient_scope' }]
            : [401, { message: '401 Unauthorized' }]
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    },
    [project(`${group}/public`)]: answer(true, { id: 1 }),
    [project(`${group}/secret`)]: answer(false, { id: 2 }),
  })
}

onSqliteAtLeast('self-hosted code host', (engine) => {
  let docent: Docent
  beforeAll(async () => {
    docent = await startDocent({ engine, environment: { DOCENT_SECRET_KEY: SECRET_KEY, DOCENT_RATE_LIMITS: 'off' } })
  })
  afterAll(() => docent[Symbol.asyncDispose]())

  test.each(['gitlab', 'gitea'] as const)(
    'links %s by a token and distinguishes private from public projects',
    async (kind) => {
      await using site = await startOwnHost(kind)
      const { host } = new URL(site.url)
      const group = kind === 'gitlab' ? 'acme/team' : 'acme'
      const { as } = await openBrowser(docent)
      const link = (token: string) => as('PUT', `/api/linked-accounts/${host}`, { token })
      const { slug } = (await as('POST', '/api/mcp/create', { name: 'A', sources: [{ url: NOWHERE }] })).body
      const add = (name: string) =>
        as('POST', `/api/mcp/${slug}/sources`, { url: `${site.url}/${group}/${name}`, type: 'repo' })

      expect(await link('wrong')).toMatchObject({
        status: 422,
        body: { error: 'credential_rejected', message: `${host} refused the token. The token has not been saved.` },
      })
      expect((await link('reads-only')).body).toMatchObject({ linked: true, login: null, via: 'token' })
      const linked = { host, linked: true, login: 'ada', linkedAt: ISO, via: 'token', appAvailable: false }
      expect((await link(TOKEN)).body).toEqual(linked)
      expect((await as('GET', `/api/linked-accounts/${host.toUpperCase()}`)).body).toEqual(linked)

      expect((await add('public')).body).toMatchObject({ isPrivate: false, visibility: 'public' })
      expect((await add('secret')).body).toMatchObject({ isPrivate: true, visibility: 'private' })
      expect(await add('nowhere')).toMatchObject({
        status: 422,
        body: { error: 'not_found_or_no_access', owner: group, repo: 'nowhere', hasGithubLink: true },
      })
    },
  )

  test('does not call a token rejected if its host cannot be asked', async () => {
    const { as } = await openBrowser(docent)
    const closed = '127.0.0.1:19151'
    await using failing = await startSite({ '/api/v4/user': (_, response) => void response.writeHead(503).end() })
    for (const host of [closed, new URL(failing.url).host]) {
      const { status, body } = await as('PUT', `/api/linked-accounts/${host}`, { token: TOKEN })
      expect([host, status, body.error]).toEqual([host, 422, 'host_unavailable'])
      expect(body.message).toMatch(/^127\.0\.0\.1:\d+ .*The token has not been saved\.$/)
      expect((await as('GET', `/api/linked-accounts/${host}`)).body.linked).toBe(false)
    }
  })

  test('refuses a host that has neither interface', async () => {
    await using site = await startSite({})
    const { host } = new URL(site.url)
    const { as } = await openBrowser(docent)
    expect(await as('PUT', `/api/linked-accounts/${host}`, { token: TOKEN })).toMatchObject({
      status: 422,
      body: {
        error: 'host_unavailable',
        message: `Neither GitLab’s nor Gitea’s interface answers at ${host}. The token has not been saved.`,
      },
    })
    for (const name of ['nowhere', 'a b.test', 'x'.repeat(300), 'a.test/path', 'user@a.test']) {
      const answer = await as('PUT', `/api/linked-accounts/${encodeURIComponent(name)}`, { token: TOKEN })
      expect(answer).toMatchObject({ status: 404, body: { error: 'Code host not found' } })
    }
  })
})
