import { KEY_SCOPES } from '@docent/contract/values/permissions'
import { OAUTH_SCOPES } from '@docent/contract/values/scopes'
import { OAuthError } from './oauth-error.ts'

/** What clients call: a server by its id or slug, or (null) the endpoint of the account. */
export type CalledAs = string | null

/** Clients ask for this one to get a refresh token, which everybody gets. */
export const OFFLINE = 'offline_access'

/** The scopes of what a client calls, each with what it allows in words. */
export const scopesOf = (calledAs: CalledAs): Readonly<Record<string, string>> =>
  calledAs === null ? KEY_SCOPES : OAUTH_SCOPES

/** The scopes of a request, in our order. Without any, all of them. Throws `invalid_scope` if none of them is ours. */
export function readScope(calledAs: CalledAs, asked: string | null): string {
  const known = Object.keys(scopesOf(calledAs))
  const wanted = new Set((asked ?? '').split(' ').filter((one) => one !== '' && one !== OFFLINE))
  const allowed = wanted.size === 0 ? known : known.filter((scope) => wanted.has(scope))
  if (allowed.length > 0) return allowed.join(' ')
  throw new OAuthError('invalid_scope', `The scopes here are ${known.join(', ')}.`)
}
