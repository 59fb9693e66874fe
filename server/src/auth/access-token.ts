import { findAccessToken } from '#store/access-tokens.ts'
import type { Db } from '#store/db.ts'
import { hashSecret, isWellFormed, sameHash } from './secret.ts'

type Deps = {
  db: Db
  /** Hears the id of a token that let somebody in. */
  noteUse: (tokenId: string) => void
}

/** Whether a private server may be answered: `presented` is the bearer of the request, or null. */
export async function verifyAccessToken(
  { db, noteUse }: Deps,
  serverId: string,
  presented: string | null,
): Promise<'ok' | 'missing_token' | 'invalid_token'> {
  if (!presented) return 'missing_token'
  if (!isWellFormed('dat_', presented)) return 'invalid_token'
  const hash = hashSecret(presented)
  const token = await findAccessToken(db, serverId, hash)
  if (!token || !sameHash(token.hash, hash)) return 'invalid_token'
  noteUse(token.id)
  return 'ok'
}
