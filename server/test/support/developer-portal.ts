import type { Docent } from './harness.ts'
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
