import { OAUTH_SCOPES } from '@docent/contract/values/scopes'
import { OAuthError } from './oauth-error.ts'

const KNOWN = Object.keys(OAUTH_SCOPES)
/** The scopes of a client that asks for none. */
export const ALL_SCOPES = KNOWN.join(' ')
/** Clients ask for this one to get a refresh token, which everybody gets. */
const OFFLINE = 'offline_access'

export const SUPPORTED_SCOPES = [...KNOWN, OFFLINE]

/** The scopes of a request, in our order. Throws `invalid_scope` if none of them is ours. */
export function readScope(asked: string | null): string {
  const wanted = new Set((asked ?? '').split(' ').filter((one) => one !== '' && one !== OFFLINE))
  if (wanted.size === 0) return ALL_SCOPES
  const known = KNOWN.filter((scope) => wanted.has(scope))
  if (known.length > 0) return known.join(' ')
  throw new OAuthError('invalid_scope', `The scopes of this service are ${KNOWN.join(' and ')}.`)
}
