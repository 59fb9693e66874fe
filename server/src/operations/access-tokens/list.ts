import { MAX_TOKENS } from '@docent/contract/operations/access-tokens'
import { type AccessToken, listAccessTokenRows } from '#store/accounts/keys.ts'
import type { Handler } from '../operation.ts'
import { isoTime } from '../servers/present.ts'

export const listAccessTokens: Handler<'accessTokens.list'> = async ({ deps, server }) => {
  const tokens = await listAccessTokenRows(deps.store.read, server.id)
  return { tokens: tokens.map(presentToken), maxTokens: MAX_TOKENS }
}

/** A token without its secret. */
export function presentToken({
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
    lastUsedAt: lastUsedAt === null ? null : isoTime(lastUsedAt),
  }
}
