import type { Db } from '#store/db.ts'
import { type ServerRow, updateServerRow } from '#store/servers/servers.ts'
import { type MintedToken, mintFirstToken } from '../access-tokens/mint.ts'
import { isoTime } from '../servers/present.ts'

/** Makes a server private. Returns its first access token, or null if it has one already. */
export async function becomePrivate(
  tx: Db,
  { id, visibility }: Pick<ServerRow, 'id' | 'visibility'>,
  now: number,
): Promise<MintedToken | null> {
  if (visibility === 'private') return null
  await updateServerRow(tx, id, { visibility: 'private', updatedAt: now })
  return mintFirstToken(tx, id, now)
}

/** The token in the response that made the server private, shown only once. */
export function presentIssued(token: MintedToken | null) {
  return token && { id: token.id, plaintext: token.plaintext, createdAt: isoTime(token.createdAt) }
}
