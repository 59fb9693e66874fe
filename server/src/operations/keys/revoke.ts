import { markApiKeyRevoked } from '#store/accounts/keys.ts'
import type { Handler } from '../operation.ts'

export const revokeApiKey: Handler<'keys.revoke'> = async ({ deps, apiKey }) => {
  await markApiKeyRevoked(deps.store.write, apiKey.id, deps.clock())
  return { ok: true }
}
