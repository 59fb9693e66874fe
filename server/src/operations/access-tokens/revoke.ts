import { revokeAccessToken as revoke } from '#store/access-tokens.ts'
import type { Handler } from '../operation.ts'

export const revokeAccessToken: Handler<'accessTokens.revoke'> = async ({ deps, accessToken }) => {
  await revoke(deps.store.write, accessToken.id, deps.clock())
  return { ok: true }
}
