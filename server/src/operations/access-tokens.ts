import { MAX_TOKENS } from '@docent/contract/operations/access-tokens'
import {
  type AccessToken,
  listAccessTokenRows,
  markAccessTokenRevoked,
  insertAccessToken,
} from '#store/accounts/keys.ts'
import { isoTime, isoTimeOrNull } from '#lib/clock.ts'
import { DocentError } from '#errors.ts'
import { lockServer, type ServerRow, updateServerRow } from '#store/servers/servers.ts'
import { newSecret } from '#auth/secret.ts'
import { newId } from '#lib/ids.ts'
import type { Db } from '#store/db.ts'
import type { Handler } from './operation.ts'

export const listAccessTokens: Handler<'accessTokens.list'> = async ({ deps, server }) => {
  const tokens = await listAccessTokenRows(deps.store.read, server.id)
  return { tokens: tokens.map(presentToken), maxTokens: MAX_TOKENS }
}

/** A token without its secret. */
function presentToken({
  id,
  name,
  last4,
  createdAt,
  lastUsedAt,
}: Pick<AccessToken, 'id' | 'name' | 'last4' | 'createdAt' | 'lastUsedAt'>) {
  return {
    id,
    name,
    last4,
    createdAt: isoTime(createdAt),
    lastUsedAt: isoTimeOrNull(lastUsedAt),
  }
}

export const createAccessToken: Handler<'accessTokens.create'> = async ({ deps, server, remember }, { name }) =>
  deps.store.transaction(async (tx) => {
    if (!(await lockServer(tx, server.id))) throw new DocentError('server_not_found')
    const live = await listAccessTokenRows(tx, server.id)
    if (live.length >= MAX_TOKENS) throw new DocentError('token_limit', { fields: { limit: MAX_TOKENS } })
    const token = await mintToken(tx, { serverId: server.id, name, now: deps.clock() })
    const answer = { ...presentToken({ ...token, lastUsedAt: null }), plaintext: token.plaintext }
    await remember(tx, answer)
    return answer
  })

export const revokeAccessToken: Handler<'accessTokens.revoke'> = async ({ deps, accessToken }) => {
  await markAccessTokenRevoked(deps.store.write, accessToken.id, deps.clock())
  return { ok: true }
}

/** A token with its plaintext, which can be shown only now. */
type MintedToken = { id: string; name: string; last4: string; plaintext: string; createdAt: number }

type Wanted = { serverId: string; name: string; now: number }

async function mintToken(tx: Db, { serverId, name, now }: Wanted): Promise<MintedToken> {
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
