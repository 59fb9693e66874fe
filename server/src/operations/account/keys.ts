import { MAX_KEYS } from '@docent/contract/operations/keys'
import { type ApiKey, listApiKeyRows, insertApiKey, markApiKeyRevoked } from '#store/accounts/keys.ts'
import { isoTime, isoTimeOrNull } from '#lib/clock.ts'
import { newSecret } from '#auth/secret.ts'
import { DocentError } from '#errors.ts'
import { newId } from '#lib/ids.ts'
import type { Db } from '#store/db.ts'
import { lockAccount, serverIdsOf } from '#store/servers/servers.ts'
import type { Handler } from '../operation.ts'

export const listApiKeys: Handler<'keys.list'> = async ({ deps, actor }) => {
  const keys = await listApiKeyRows(deps.store.read, actor.accountId)
  return { keys: keys.map(presentKey), maxKeys: MAX_KEYS }
}

/** A key without its secret. */
function presentKey({ id, name, last4, serverIds, createdAt, lastUsedAt }: ApiKey) {
  return {
    id,
    name,
    last4,
    scope: serverIds === null ? ('account' as const) : ('servers' as const),
    serverIds: serverIds === null ? null : (JSON.parse(serverIds) as string[]),
    createdAt: isoTime(createdAt),
    lastUsedAt: isoTimeOrNull(lastUsedAt),
  }
}

export const createApiKey: Handler<'keys.create'> = async ({ deps, actor, remember }, { name, serverIds }) => {
  const { plaintext, hash, last4 } = newSecret('dk_live_')
  return deps.store.transaction(async (tx) => {
    await lockAccount(tx, actor.accountId)
    if (serverIds) await refuseUnknownServers(tx, actor.accountId, serverIds)
    const live = await listApiKeyRows(tx, actor.accountId)
    if (live.length >= MAX_KEYS) throw new DocentError('key_limit', { fields: { limit: MAX_KEYS } })
    const key = {
      id: newId('key'),
      accountId: actor.accountId,
      name,
      hash,
      last4,
      serverIds: serverIds ? JSON.stringify([...new Set(serverIds)]) : null,
      createdAt: deps.clock(),
      lastUsedAt: null,
      revokedAt: null,
    }
    await insertApiKey(tx, key)
    const answer = { ...presentKey(key), plaintext }
    await remember(tx, answer)
    return answer
  })
}

async function refuseUnknownServers(tx: Db, accountId: string, serverIds: readonly string[]): Promise<void> {
  const own = new Set(await serverIdsOf(tx, accountId))
  if (!serverIds.every((id) => own.has(id))) throw new DocentError('server_not_found')
}

export const revokeApiKey: Handler<'keys.revoke'> = async ({ deps, apiKey }) => {
  await markApiKeyRevoked(deps.store.write, apiKey.id, deps.clock())
  return { ok: true }
}
