import { newSecret } from '#auth/secret.ts'
import { newId } from '#lib/ids.ts'
import { insertAccessToken, listAccessTokenRows } from '#store/accounts/keys.ts'
import type { Db } from '#store/db.ts'

/** A token with its plaintext, which can be shown only now. */
export type MintedToken = { id: string; name: string; last4: string; plaintext: string; createdAt: number }

type Wanted = { serverId: string; name: string; now: number }

export async function mintToken(tx: Db, { serverId, name, now }: Wanted): Promise<MintedToken> {
  const { plaintext, hash, last4 } = newSecret('dat_')
  const id = newId('tok')
  await insertAccessToken(tx, { id, serverId, name, hash, last4, createdAt: now })
  return { id, name, last4, plaintext, createdAt: now }
}

/** Creates a token for a server that has just become private. Null if it has one already. */
export async function mintFirstToken(tx: Db, serverId: string, now: number): Promise<MintedToken | null> {
  const live = await listAccessTokenRows(tx, serverId)
  return live.length > 0 ? null : mintToken(tx, { serverId, name: 'First token', now })
}
