import { ATTRIBUTION_SECONDS } from '@docent/contract/operations/developers'
import { ensureDeveloper, regenerateSecret, mintAttributionToken } from '#auth/developers.ts'
import type { Developer } from '#store/accounts/developers.ts'
import { DocentError } from '#errors.ts'
import { isoTime } from '#lib/clock.ts'
import type { Handler, OperationDeps } from '../operation.ts'

export const getCredentials: Handler<'credentials.get'> = async ({ deps, actor }) =>
  presentCredentials(deps, await ensureDeveloper(deps, actor.accountId))

export const changeCredentials: Handler<'credentials.change'> = async ({ deps, actor }) => {
  const developer = await ensureDeveloper(deps, actor.accountId)
  return presentCredentials(deps, await regenerateSecret(deps, developer))
}

/** Throws `503 credentials_unavailable`. */
function presentCredentials({ vault }: OperationDeps, { id, clientId, sealedSecret, appName }: Developer) {
  return { clientId, clientSecret: vault.unseal(sealedSecret, { table: 'developers', id }), appName }
}

export const createAttributionToken: Handler<'attributionTokens.create'> = async ({ deps, actor }, { endUserId }) => {
  // The credential of this operation is always a client secret, whose id is the developer's.
  const owner = { developerId: actor.credential.id, endUserId: endUserId ?? null }
  const minted = await mintAttributionToken(deps, owner, ATTRIBUTION_SECONDS * 1000)
  if (!minted) throw new DocentError('signing_unavailable')
  return { token: minted.token, expiresAt: isoTime(minted.expiresAt), expiresInSeconds: ATTRIBUTION_SECONDS }
}
