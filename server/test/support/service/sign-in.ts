import { createAccount } from '#auth/accounts.ts'
import { hashPassword } from '#auth/password.ts'
import type { Docent } from './harness.ts'

export const PASSWORD = 'correct horse battery'

/** Made once, because a hash takes as much processor time as ten requests. */
const hash = hashPassword(PASSWORD)

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
    const passwordHash = await hash
    await docent().inStore(async (store) => {
      await createAccount(store, { email, password: null, plan: 'unlimited' })
      await store.write.updateTable('people').set({ passwordHash }).where('email', '=', email).execute()
    })
    return email
  }
  return { signIn, as, open, account }
}
