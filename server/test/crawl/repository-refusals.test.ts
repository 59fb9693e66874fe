import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { type Page, type Site, startSite } from '../support/sites/site.ts'

const FORGE = '/api/v1/repos/a/b'
const REFS = '/a/b.git/info/refs?service=git-upload-pack'

let docent: Docent
beforeAll(async () => void (docent = await startDocent({ environment: { DOCENT_RATE_LIMITS: 'off' } })))
afterAll(async () => docent[Symbol.asyncDispose]())

const answer =
  (status: number, headers: Record<string, string> = {}): Page =>
  (_, response) =>
    void response.writeHead(status, headers).end()

/** Indexes the repository `a/b` of a host with these answers. Returns its source as the owner sees it, and requests. */
async function index(pages: Record<string, Page>) {
  await using site: Site = await startSite(pages)
  const sources = [{ url: `${site.url}/a/b`, type: 'repo' }]
  const { body } = await docent.request('POST', '/api/mcp/create', { name: 'A', sources })
  const [source] = (await docent.untilDone(body.slug)).sources
  return { source, asked: site.requests.filter(({ path }) => path === FORGE).length }
}

test.each<[string, Record<string, Page>, RegExp]>([
  ['that leads to a private address', { [FORGE]: answer(302, { location: 'http://10.1.2.3/' }) }, /private|internal/],
  [
    'whose git leads to a private address',
    { [REFS]: answer(302, { location: 'http://10.1.2.3/' }) },
    /private|internal/,
  ],
  ['that answers 401', { [REFS]: answer(401) }, /does not show the repository to everybody/],
  ['that answers 403', { [REFS]: answer(403) }, /does not show the repository to everybody/],
  ['that answers 404', {}, /does not lead to a repository/],
  ['that redirects in a loop', { [REFS]: answer(302, { location: REFS }) }, /circle/],
  ['that is a site', { [REFS]: '<title>Hello</title>' }, /does not lead to a repository/],
])('fails a repository %s with the reason after one attempt', async (_, pages, reason) => {
  const { source, asked } = await index(pages)
  const { crawlStatus, crawlError } = source
  expect(crawlStatus).toBe('error')
  expect(crawlError).toMatch(reason)
  expect(asked).toBe(1)
})

/** Adds a repository to a server that has a source already. */
async function add(url: string) {
  const { body } = await docent.request('POST', '/api/mcp/create', { name: 'B', sources: [{ url: `${NOWHERE}/` }] })
  return docent.request('POST', `/api/mcp/${body.slug}/sources`, { url, type: 'repo' })
}

/** Nothing listens here. */
const NOWHERE = 'http://127.0.0.1:19151'

const advertise: Page = (_, response) =>
  void response
    .writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' })
    .end('001e# service=git-upload-pack\n0000')

describe('adding a repository at a host without an interface', () => {
  test.each<[string, Record<string, Page>, string, RegExp]>([
    ['that answers 401', { [REFS]: answer(401) }, 'auth_required', /does not show the repository to everybody/],
    ['that answers 403', { [REFS]: answer(403) }, 'auth_required', /it is private, or there is none/],
    ['that answers 404', {}, 'not_found_or_no_access', /does not lead to a repository/],
    ['that is a site', { [REFS]: '<title>Hello</title>' }, 'not_found_or_no_access', /does not lead to a repository/],
    ['that redirects in a loop', { [REFS]: answer(302, { location: REFS }) }, 'repo_access_failed', /circle/],
  ])('is refused for one %s', async (_, pages, error, message) => {
    await using site = await startSite(pages)
    const { status, body } = await add(`${site.url}/a/b`)
    expect([status, body]).toEqual([
      422,
      { error, message: expect.stringMatching(message), owner: 'a', repo: 'b', hasGithubLink: false, isPrivate: false },
    ])
  })

  test('names a host that accepts no connection', async () => {
    const { status, body } = await add(`${NOWHERE}/a/b.git`)
    expect([status, body.error]).toEqual([422, 'repo_access_failed'])
    expect(body.message).toBe(
      `127.0.0.1:19151: The host did not accept a connection. Check the address and the port, and that it is running.`,
    )
  })

  test.each<[string, Record<string, Page>]>([
    ['git can clone', { [REFS]: advertise }],
    ['has the interface of Gitea', { [FORGE]: JSON.stringify({ default_branch: 'main' }) }],
  ])('succeeds if %s', async (_, pages) => {
    await using site = await startSite(pages)
    expect(await add(`${site.url}/a/b`)).toMatchObject({ status: 200, body: { type: 'repo', isPrivate: false } })
  })

  test('refuses an address of GitHub that names no repository', async () => {
    const { status, body } = await add('https://github.com/foo')
    expect([status, body]).toMatchObject([422, { error: 'not_found_or_no_access', owner: 'foo', repo: '' }])
    expect(body.message).toMatch(/does not lead to a repository/)
  })
})

test('names a host that accepts no connection soon after a server was made', async () => {
  // Ports that no other test has tried: requests to a host that fails again wait for half a minute.
  for (const source of [{ url: 'http://127.0.0.1:19149/a/b.git', type: 'repo' }, { url: 'http://127.0.0.1:19150/' }]) {
    const { body } = await docent.request('POST', '/api/mcp/create', { name: 'A', sources: [source] })
    await docent.untilDone(body.slug)
    const attempts = await docent.inStore(({ read }) => read.selectFrom('jobs').select('attempts').execute())
    expect(attempts.map((job) => job.attempts)).not.toContain(2)
    const [made] = (await docent.request('GET', `/api/mcp/${body.slug}`)).body.sources
    expect(made.crawlError).toContain(`${new URL(source.url).host}: The host did not accept a connection`)
  }
})

test('an address for ssh is quoted as it was written', async () => {
  const { body } = await add('git@host:acme/x.git')
  expect(body.message).toContain('"git@host:acme/x.git"')
})
