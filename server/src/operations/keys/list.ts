import { MAX_KEYS } from '@docent/contract/operations/keys'
import { type ApiKey, listApiKeyRows } from '#store/accounts/keys.ts'
import type { Handler } from '../operation.ts'
import { isoTime } from '../servers/present.ts'

export const listApiKeys: Handler<'keys.list'> = async ({ deps, actor }) => {
  const keys = await listApiKeyRows(deps.store.read, actor.accountId)
  return { keys: keys.map(presentKey), maxKeys: MAX_KEYS }
}

/** A key without its secret. */
export function presentKey({ id, name, last4, serverIds, createdAt, lastUsedAt }: ApiKey) {
  return {
    id,
    name,
    last4,
    scope: serverIds === null ? ('account' as const) : ('servers' as const),
    serverIds: serverIds === null ? null : (JSON.parse(serverIds) as string[]),
    createdAt: isoTime(createdAt),
    lastUsedAt: lastUsedAt === null ? null : isoTime(lastUsedAt),
  }
}
