import { DocentError } from '#errors.ts'
import { deleteCredential, saveCredential } from '#store/credentials.ts'
import { lockServer } from '#store/servers.ts'
import { type SourceRow, findSource } from '#store/sources.ts'
import type { RemoteCredential } from '#upstream/connect-remote-mcp.ts'
import { listRemoteTools } from '#upstream/list-remote-tools.ts'
import { UpstreamError } from '#upstream/upstream-error.ts'
import type { CheckedCall, Handler, OperationDeps } from '../operation.ts'
import { becomePrivate, presentIssued } from './become-private.ts'

export const changeCredential: Handler<'sources.changeCredential'> = async (call, input) => {
  const { deps, server } = call
  const { sourceId, secret = '', remove, headerName } = input
  const source = await findSource(deps.store.read, server.id, sourceId)
  if (!source) throw new DocentError('source_not_found')
  if (source.type !== 'mcp') throw new DocentError('only_mcp_credentials')
  if (secret === '' && remove !== true) throw new DocentError('credential_required')
  if (secret !== '') return rotate(call, source, { headerName, secret })
  await deleteCredential(deps.store.write, source.id)
  return { ok: true, hasCredential: false, tools: [], visibility: server.visibility, issuedToken: null }
}

/** Tests the credential, and saves it if the remote server lists its tools for it. */
async function rotate(
  { deps, server }: CheckedCall<'sources.changeCredential'>,
  source: SourceRow,
  credential: RemoteCredential,
) {
  const { store, vault } = deps
  if (!(await vault.isAvailable(store.read))) throw new DocentError('credentials_unavailable')
  const tools = await testCredential(deps, source, credential)
  const now = deps.clock()
  const token = await store.transaction(async (tx) => {
    const current = await lockServer(tx, server.id)
    if (!current) throw new DocentError('server_not_found')
    if (!(await findSource(tx, server.id, source.id))) throw new DocentError('source_not_found')
    const sealed = await vault.seal(tx, credential.secret, { table: 'credentials', id: source.id })
    await saveCredential(tx, { sourceId: source.id, headerName: credential.headerName, sealed, updatedAt: now })
    return becomePrivate(tx, current, now)
  })
  const visibility = 'private' as const
  return { ok: true as const, hasCredential: true, tools, visibility, issuedToken: presentIssued(token) }
}

async function testCredential(
  { net, version }: OperationDeps,
  { url }: SourceRow,
  credential: RemoteCredential,
): Promise<string[]> {
  try {
    return await listRemoteTools({ net, version }, { url, credential })
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    throw new DocentError('credential_rejected', {
      text: `${error.message} The credential has not been saved.`,
      cause: error,
    })
  }
}
