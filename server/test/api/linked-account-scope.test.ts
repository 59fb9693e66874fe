import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { GITHUB_TOKEN } from '../support/sites/github-api.ts'
import { account, world } from '../support/indexing/source-world.ts'

const TOKEN_HEADER = `Bearer ${GITHUB_TOKEN}`

onSqliteAtLeast('key scoped to one server', (engine) => {
  const at = world(engine)
  let unique = 0

  /** A private repository that records the `Authorization` headers of its requests. */
  function watchedRepository() {
    const name = `watched${(unique += 1)}`
    const seen: (string | undefined)[] = []
    at.github.pages.set(`/repos/acme/${name}`, (request, response) => {
      seen.push(request.headers.authorization)
      const isKnown = request.headers.authorization === TOKEN_HEADER
      response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' })
      response.end(JSON.stringify(isKnown ? { private: true, default_branch: 'main' } : { message: 'Not Found' }))
    })
    return { name, url: `https://github.com/acme/${name}`, seen }
  }

  async function scoped() {
    const owner = await account(at)
    const key = await at.docent.makeKey(owner.email, [owner.server.serverId])
    const as = (method: string, path: string, body?: unknown) => at.docent.request(method, path, body, { key })
    return { owner, as, sources: `/api/mcp/${owner.server.slug}/sources` }
  }

  test.each([
    [true, 'not_found_or_no_access'],
    [false, 'auth_required'],
  ])('adds no private repository (linked account: %s)', async (isLinked, error) => {
    const { owner, as, sources } = await scoped()
    if (isLinked) await owner.link()
    const { name, url, seen } = watchedRepository()
    const { status, body } = await as('POST', sources, { url })
    expect([status, body]).toEqual([
      422,
      {
        error,
        message: expect.stringMatching(/scoped to specific servers.*account-wide key, or from the dashboard/),
        owner: 'acme',
        repo: name,
        hasGithubLink: isLinked,
        isPrivate: false,
      },
    ])
    expect(seen).toEqual([undefined])
    expect((await owner.detail()).sources).toHaveLength(1)
  })

  test('detects a source without the token of the linked account', async () => {
    const { owner, as } = await scoped()
    await owner.link()
    const { url, seen } = watchedRepository()
    expect((await as('POST', '/api/sources/detect', { url })).body).toMatchObject({ url, type: 'repo' })
    expect(seen.filter(Boolean)).toEqual([])
  })

  test('adds public repositories, which are read without the token', async () => {
    const { owner, as, sources } = await scoped()
    await owner.link()
    const { body } = await as('POST', sources, { url: 'https://github.com/acme/public' })
    expect(body).toMatchObject({ isPrivate: false })
    const { url, seen } = watchedRepository()
    // Made private after it was added.
    await at.docent.inStore(({ write }) =>
      sql`update sources set url = ${url}, is_private = 1 where id = ${body.id}`.execute(write),
    )
    await as('POST', `/api/mcp/${owner.server.slug}/crawl`)
    await owner.untilDone()
    expect(seen.filter(Boolean)).toEqual([])
  })

  test('refreshes a private repository of the account, but cannot add it again after removal', async () => {
    const { owner, as, sources } = await scoped()
    await owner.link()
    const { url, seen } = watchedRepository()
    const { body } = await owner.add({ url })
    expect(body).toMatchObject({ isPrivate: true, visibility: 'private' })
    await owner.untilDone()
    seen.length = 0
    await as('POST', `/api/mcp/${owner.server.slug}/crawl`)
    await owner.untilDone()
    expect(seen).toContain(TOKEN_HEADER)
    expect((await as('DELETE', sources, { sourceId: body.id })).body.removed).toBe(1)
    expect((await as('POST', sources, { url })).status).toBe(422)
  })
})
