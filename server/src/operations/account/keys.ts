import { MAX_TOKENS } from '@docent/contract/operations/access-tokens'
import { MAX_KEYS } from '@docent/contract/operations/keys'
import { KEY_SCOPE_NAMES, type KeyScope } from '@docent/contract/values/permissions'
import type { Actor } from '#auth/authenticate.ts'
import { newSecret } from '#auth/secret.ts'
import { DocentError, found } from '#errors.ts'
import { isoTimes } from '#lib/clock.ts'
import { newId } from '#lib/ids.ts'
import {
  type ApiKey,
  insertAccessToken,
  insertApiKey,
  listAccessTokenRows,
  listApiKeyRows,
  markAccessTokenRevoked,
  markApiKeyRevoked,
} from '#store/accounts/keys.ts'
import type { Db } from '#store/db.ts'
import { type ServerRow, lockAccount, lockServer, serverIdsOf, updateServerRow } from '#store/servers/servers.ts'
import { type HandlersOf, done } from '../operation.ts'

export const keyHandlers: HandlersOf<'keys'> = {
  'keys.list': async ({ deps, actor }) => {
    await deps.flushUses()
    const keys = await listApiKeyRows(deps.store.read, actor.accountId)
    return { keys: keys.map(presentKey), maxKeys: MAX_KEYS }
  },

  'keys.create': async ({ deps, actor, remember }, { name, serverIds, scopes: wanted, forAssistant = false }) => {
    const { accountId, personId } = actor
    const scopes = narrowed(actor, wanted ?? null)
    const { plaintext, hash, last4 } = newSecret('dk_live_')
    return deps.store.transaction(async (tx) => {
      await lockAccount(tx, accountId)
      if (serverIds) await refuseUnknownServers(tx, accountId, serverIds)
      const live = await listApiKeyRows(tx, accountId)
      if (live.length >= MAX_KEYS) throw new DocentError('key_limit', { fields: { limit: MAX_KEYS } })
      const scope = serverIds ? JSON.stringify([...new Set(serverIds)]) : null
      const times = { createdAt: deps.clock(), lastUsedAt: null, revokedAt: null }
      // A key that needs approvals makes no key that does without.
      const asks = forAssistant || actor.asksApproval ? 1 : 0
      const limits = { serverIds: scope, scopes: scopes && JSON.stringify(scopes), forAssistant: asks }
      const key = { id: newId('key'), accountId, personId, name, hash, last4, ...limits, ...times }
      await insertApiKey(tx, key)
      return remember(tx, { ...presentKey(key), plaintext })
    })
  },

  'keys.revoke': ({ deps, apiKey }) => done(deps, (tx) => markApiKeyRevoked(tx, apiKey.id, deps.clock())),
}

function presentKey(key: ApiKey) {
  const serverIds = key.serverIds === null ? null : (JSON.parse(key.serverIds) as string[])
  const scopes = key.scopes === null ? null : (JSON.parse(key.scopes) as KeyScope[])
  const scope = serverIds ? ('servers' as const) : ('account' as const)
  return { ...isoTimes(key), scope, serverIds, scopes, forAssistant: key.forAssistant === 1 }
}

/** The scopes of a new key, in their order: at most those of a key that makes it. */
function narrowed({ scopes: own }: Actor, wanted: readonly KeyScope[] | null): KeyScope[] | null {
  const scopes = wanted ?? (own && [...own])
  const more = own && scopes?.find((scope) => !own.has(scope))
  if (more) throw new DocentError('not_permitted', { fields: { requiredScope: more } })
  return scopes && KEY_SCOPE_NAMES.filter((scope) => scopes.includes(scope))
}

export async function refuseUnknownServers(tx: Db, accountId: string, serverIds: readonly string[]): Promise<void> {
  const own = new Set(await serverIdsOf(tx, accountId))
  if (!serverIds.every((id) => own.has(id))) throw new DocentError('server_not_found')
}

export const accessTokenHandlers: HandlersOf<'accessTokens'> = {
  'accessTokens.list': async ({ deps, server }) => {
    await deps.flushUses()
    const tokens = await listAccessTokenRows(deps.store.read, server.id)
    return { tokens: tokens.map(isoTimes), maxTokens: MAX_TOKENS }
  },

  'accessTokens.create': async ({ deps, server, remember }, { name }) =>
    deps.store.transaction(async (tx) => {
      found(await lockServer(tx, server.id), 'server_not_found')
      const live = await listAccessTokenRows(tx, server.id)
      if (live.length >= MAX_TOKENS) throw new DocentError('token_limit', { fields: { limit: MAX_TOKENS } })
      const token = await mintToken(tx, { serverId: server.id, name, createdAt: deps.clock() })
      return remember(tx, isoTimes({ ...token, lastUsedAt: null }))
    }),

  'accessTokens.revoke': ({ deps, accessToken }) =>
    done(deps, (tx) => markAccessTokenRevoked(tx, accessToken.id, deps.clock())),
}

/** A token with its plaintext, which can be shown only now. */
type MintedToken = Awaited<ReturnType<typeof mintToken>>

async function mintToken(tx: Db, about: { serverId: string; name: string; createdAt: number }) {
  const { plaintext, hash, last4 } = newSecret('dat_')
  const id = newId('tok')
  await insertAccessToken(tx, { id, ...about, hash, last4 })
  return { id, ...about, last4, plaintext }
}

/** Creates a token for a server that has just become private. Null if it has one already. */
export async function mintFirstToken(tx: Db, serverId: string, now: number): Promise<MintedToken | null> {
  const live = await listAccessTokenRows(tx, serverId)
  return live.length > 0 ? null : mintToken(tx, { serverId, name: 'First token', createdAt: now })
}

/** Makes a server private. Returns its first access token, or null if it has one already. */
export async function becomePrivate(tx: Db, { id, visibility }: Pick<ServerRow, 'id' | 'visibility'>, now: number) {
  if (visibility === 'private') return null
  await updateServerRow(tx, id, { visibility: 'private', updatedAt: now })
  return mintFirstToken(tx, id, now)
}

/** The token in the response that made the server private, shown only once. */
export const presentIssued = (token: MintedToken | null) => token && isoTimes(token)
