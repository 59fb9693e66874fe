import type { Developer } from '#store/accounts/developers.ts'
import type { OperationDeps } from '../operation.ts'

/** Throws `503 credentials_unavailable`. */
export function presentCredentials({ vault }: OperationDeps, { id, clientId, sealedSecret, appName }: Developer) {
  return { clientId, clientSecret: vault.unseal(sealedSecret, { table: 'developers', id }), appName }
}
