import { ATTRIBUTION_SECONDS } from '@docent/contract/operations/developers'
import { mintAttributionToken } from '#auth/attribution-token.ts'
import { DocentError } from '#errors.ts'
import type { Handler } from '../operation.ts'
import { isoTime } from '../servers/present.ts'

export const createAttributionToken: Handler<'attributionTokens.create'> = async ({ deps, actor }, { endUserId }) => {
  // The credential of this operation is always a client secret, whose id is the developer's.
  const owner = { developerId: actor.credential.id, endUserId: endUserId ?? null }
  const minted = await mintAttributionToken(deps, owner, ATTRIBUTION_SECONDS * 1000)
  if (!minted) throw new DocentError('signing_unavailable')
  return { token: minted.token, expiresAt: isoTime(minted.expiresAt), expiresInSeconds: ATTRIBUTION_SECONDS }
}
