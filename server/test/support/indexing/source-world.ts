import { sql } from 'kysely'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Engine } from '../database/engines.ts'
import { GITHUB_TOKEN, startGithubApi } from '../sites/github-api.ts'
import { type Docent, startDocent } from '../service/harness.ts'
import { type RemoteMcp, startRemoteMcp } from '../sites/remote-mcp.ts'
import { type Site, page, startSite } from '../sites/site.ts'

const SECRET_KEY = 'a secret key that is only used in tests'.replaceAll(' ', '-')
/** Nothing listens here. */
export const NOWHERE = 'http://127.0.0.1:19151'
let unique = 0

/** A service and everything that sources lead to, shared by the tests of a suite. */
export function world(engine: Engine) {
  const at = {} as { docent: Docent; github: Site; site: Site; remote: RemoteMcp }
  beforeAll(async () => {
    at.github = await startGithubApi()
    at.remote = await startRemoteMcp()
    at.site = await startSite({
      '/': page('Home', 'Welcome to the place where the gadgets are explained.', ['/a', '/b']),
      '/a': page('Apples', 'Apples are described at length, with their colours and their seasons.'),
      '/b': page('Pears', 'Pears are described at length, with their colours and their seasons.'),
    })
    at.docent = await startDocent({
      engine,
      environment: {
        DOCENT_RATE_LIMITS: 'off',
        DOCENT_SECRET_KEY: SECRET_KEY,
        DOCENT_GITHUB_API_URL: `${at.github.url}/`,
      },
    })
  })
  afterAll(async () => {
    for (const part of [at.docent, at.remote, at.site, at.github]) await part[Symbol.asyncDispose]()
  })
  return at
}

export type World = ReturnType<typeof world>

/** A fresh account with one public server. */
export async function account({ docent }: World, { plan = 'unlimited', sources = [{ url: `${NOWHERE}/` }] } = {}) {
  const email = `account${(unique += 1)}@example.test`
  const key = await docent.makeKey(email)
  await docent.inStore(({ write }) => sql`update accounts set plan = ${plan} where email = ${email}`.execute(write))
  const as = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    docent.request(method, path, body, { key, headers })
  const { body: server } = await as('POST', '/api/mcp/create', { name: 'A', sources })
  const path = `/api/mcp/${server.slug}/sources`
  const detail = async () => (await as('GET', `/api/mcp/${server.slug}`)).body
  return {
    as,
    email,
    server,
    add: (body: unknown) => as('POST', path, body),
    patch: (body: unknown) => as('PATCH', path, body),
    remove: (body: unknown) => as('DELETE', path, body),
    untilDone: () => expect.poll(async () => (await detail()).status, { interval: 20 }).not.toBe('crawling'),
    detail,
    setVisibility: (visibility: string) => as('PATCH', `/api/mcp/${server.slug}/visibility`, { visibility }),
    link: () => as('PUT', '/api/linked-accounts/github.com', { token: GITHUB_TOKEN }),
  }
}
