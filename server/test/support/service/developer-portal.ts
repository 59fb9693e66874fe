import { afterAll, beforeAll } from 'vitest'
import type { Engine } from '../database/engines.ts'
import { type Docent, startDocent } from './harness.ts'
import { openSessionOf } from './open-browser.ts'

/** Requests of an account's portal, which has a session, and of its backend, which has the client secret. */
export async function portalOf(docent: Docent, name: string) {
  const email = `${name}@example.test`
  await docent.makeKey(email)
  const { secret } = await openSessionOf(docent, email)
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

/** A service for the tests of a suite, in which `account` opens the portal of a new account. */
export function usePortals(engine: Engine) {
  let count = 0
  const used = { docent: null as unknown as Docent, account: () => portalOf(used.docent, `developer-${++count}`) }
  beforeAll(async () => {
    used.docent = await startDocent({ engine, environment: { DOCENT_SECRET_KEY: 'k'.repeat(32) } })
  })
  afterAll(() => used.docent[Symbol.asyncDispose]())
  return used
}
