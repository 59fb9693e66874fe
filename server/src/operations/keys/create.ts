import { MAX_KEYS } from '@docent/contract/operations/keys'
import { newSecret } from '#auth/secret.ts'
import { DocentError } from '#errors.ts'
import { newId } from '#lib/ids.ts'
import { insertApiKey, listApiKeyRows } from '#store/accounts/keys.ts'
import type { Db } from '#store/db.ts'
import { lockAccount, serverIdsOf } from '#store/servers/servers.ts'
import type { Handler } from '../operation.ts'
import { presentKey } from './list.ts'

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
