import type { Actor } from '#auth/authenticate.ts'
import { findServer } from '#store/servers/servers.ts'
import type { OperationDeps } from '../operation.ts'

/**
 * The id of the account's server with this id or slug, for operations that take ids only. A name of no server stays as
 * it is. Scope is not checked here: the operation refuses servers outside of it.
 */
export async function resolveServerId(
  { store }: Pick<OperationDeps, 'store'>,
  { accountId }: Actor,
  idOrSlug: string,
): Promise<string> {
  const server = await findServer(store.read, accountId, idOrSlug)
  return server?.id ?? idOrSlug
}
