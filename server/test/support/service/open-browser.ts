import { openSession } from '#auth/sessions.ts'
import { findPersonByEmail } from '#store/accounts/people.ts'
import type { Docent } from './harness.ts'

let unique = 0

/** A fresh account with a signed-in browser. */
export async function openBrowser(docent: Docent) {
  const email = `account${(unique += 1)}@example.test`
  const key = await docent.makeKey(email)
  const signIn = () => openSessionOf(docent, email)
  const { secret } = await signIn()
  const headersOf = (session: string) => ({ cookie: `docent_session=${session}`, 'sec-fetch-site': 'same-origin' })
  const as = (method: string, path: string, body?: unknown, session = secret) =>
    docent.request(method, path, body, { key: null, headers: headersOf(session) })
  /** Follows the redirect from the code host back to the service. */
  const comeBack = async (host: string, query: Record<string, string>, session: string | null = secret) => {
    const headers = { 'sec-fetch-site': 'cross-site', ...(session ? { cookie: `docent_session=${session}` } : {}) }
    const answer = await fetch(`${docent.url}/oauth/${host}/callback?${new URLSearchParams(query)}`, { headers })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  return { email, key, secret, signIn, as, comeBack }
}

/** Opens a session without a password. */
export function openSessionOf(docent: Docent, email: string) {
  return docent.inStore(async (store) => {
    const person = await findPersonByEmail(store.read, email)
    const opening = { accountId: person?.lastAccountId ?? '', personId: person?.id ?? '' }
    return openSession(store, { ...opening, userAgent: null, now: Date.now() })
  })
}
