import { revokeApiKey as revoke } from '#store/api-keys.ts'
import type { Handler } from '../operation.ts'

export const revokeApiKey: Handler<'keys.revoke'> = async ({ deps, apiKey }) => {
  await revoke(deps.store.write, apiKey.id, deps.clock())
  return { ok: true }
}
