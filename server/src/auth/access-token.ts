import { findAccessToken } from '#store/accounts/keys.ts'
import type { Db } from '#store/db.ts'
import { lastKnown } from '#store/engine/outages.ts'
import { hashSecret, isWellFormed, sameHash } from './secret.ts'

type AccessToken = { id: string; hash: string }

type Deps = {
  /** The live access token of a server with this hash. See {@link tokenLookup}. */
  findToken: (serverId: string, hash: string) => Promise<AccessToken | undefined>
  /** Called with the id of an accepted token. */
  noteUse: (tokenId: string) => void
}

/** Recently used tokens remembered for database outages. */
const TOKENS = 10_000

/** Looks up tokens in the database. During an outage, falls back to recently found tokens. */
export function tokenLookup(db: Db): Deps['findToken'] {
  const find = lastKnown((key) => findAccessToken(db, ...splitKey(key)), { entries: TOKENS })
  return (serverId, hash) => find(`${serverId} ${hash}`)
}

function splitKey(key: string): [serverId: string, hash: string] {
  const [serverId = '', hash = ''] = key.split(' ')
  return [serverId, hash]
}

/** Checks access to a private server. `presented` is the bearer token of the request, or null. */
export async function verifyAccessToken(
  { findToken, noteUse }: Deps,
  serverId: string,
  presented: string | null,
): Promise<'ok' | 'missing_token' | 'invalid_token'> {
  if (!presented) return 'missing_token'
  if (!isWellFormed('dat_', presented)) return 'invalid_token'
  const hash = hashSecret(presented)
  const token = await findToken(serverId, hash)
  if (!token || !sameHash(token.hash, hash)) return 'invalid_token'
  noteUse(token.id)
  return 'ok'
}
