import { createAccount } from '#auth/accounts.ts'
import type { Docent } from './harness.ts'

export const PASSWORD = 'correct horse battery'

/** Sign-in and cookie helpers for a service without a limit on attempts. */
export function browsers(docent: () => Docent) {
  const signIn = (email: string, password = PASSWORD, headers: Record<string, string> = {}) =>
    docent().request('POST', '/api/sessions', { email, password }, { key: null, headers })
  /** A request as the service's own page sends it, unless the headers override that. */
  const as = (cookie: string, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const from = { cookie, 'sec-fetch-site': 'same-origin', ...headers }
    return docent().request(method, path, body, { key: null, headers: from })
  }
  const open = async (email: string, headers: Record<string, string> = {}) => {
    const answer = await signIn(email, PASSWORD, headers)
    return { ...answer, cookie: (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '' }
  }
  const account = async (name: string) => {
    const email = `${name}@example.test`
    await docent().inStore((store) => createAccount(store, { email, password: PASSWORD, plan: 'unlimited' }))
    return email
  }
  return { signIn, as, open, account }
}
