import { markAccessTokenRevoked } from '#store/accounts/keys.ts'
import type { Handler } from '../operation.ts'

export const revokeAccessToken: Handler<'accessTokens.revoke'> = async ({ deps, accessToken }) => {
  await markAccessTokenRevoked(deps.store.write, accessToken.id, deps.clock())
  return { ok: true }
}
