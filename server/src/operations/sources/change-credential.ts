import { sourceKind } from '@docent/contract/values/source-kinds'
import { DocentError, found } from '#errors.ts'
import { fullAddress, isAtAddress } from '#auth/vault.ts'
import { withoutMasked } from '#lib/addresses/secret-address.ts'
import { enqueueAnew } from '#jobs/enqueue-ingest.ts'
import { deleteCredential, findCredential, saveCredential } from '#store/accounts/secrets.ts'
import { withdrawContent } from '#store/sources/remove-source.ts'
import { lockServer } from '#store/servers/servers.ts'
import { type SourceRow, findSource, listSources, updateSourceRow } from '#store/sources/sources.ts'
import { type RemoteCredential, listRemoteTools } from '#upstream/connect-remote-mcp.ts'
import { UpstreamError } from '#upstream/upstream-error.ts'
import type { CheckedCall, Handler } from '../operation.ts'
import { becomePrivate, presentIssued } from '../account/keys.ts'
import { untestedError } from '../account/linked-accounts.ts'

type ChangeCall = CheckedCall<'sources.changeCredential'>

export const changeCredential: Handler<'sources.changeCredential'> = async (call, input) => {
  const { deps, server } = call
  const { sourceId, secret = '', remove, headerName } = input
  const source = found(await findSource(deps.store.read, server.id, sourceId), 'source_not_found')
  const isAddress = remove === true && secret === '' && source.sealedUrl !== null
  if (!isAddress && !sourceKind(source.type).takesCredential) throw new DocentError('only_mcp_credentials')
  if ((secret === '') === (remove !== true)) throw new DocentError('credential_required')
  if (secret !== '') return rotate(call, source, { headerName, secret })
  const visibility = await removeCredential(call, source)
  return { ok: true, hasCredential: false, tools: [], visibility, issuedToken: null }
}

/**
 * Removes the credential, also that in the address, and what was indexed with it: the server can be published
 * afterwards. Throws `409 source_exists` if another source has the address that is left.
 */
async function removeCredential({ deps, server }: ChangeCall, { id, url: shown, sealedUrl }: SourceRow) {
  const removal = await deps.store.transaction(async (tx) => {
    const { visibility } = found(await lockServer(tx, server.id), 'server_not_found')
    if (sealedUrl === null && !(await findCredential(tx, id))) return { visibility, isRemoved: false }
    await deleteCredential(tx, id)
    if (sealedUrl !== null) {
      const url = withoutMasked(shown)
      const others = (await listSources(tx, server.id)).filter((other) => other.id !== id)
      if (others.some((other) => isAtAddress(deps.vault, other, url))) throw new DocentError('source_exists')
      await updateSourceRow(tx, id, { url, sealedUrl: null })
    }
    await enqueueAnew(tx, { id, serverId: server.id })
    await withdrawContent(tx, id)
    return { visibility, isRemoved: true }
  })
  if (removal.isRemoved) deps.wakeWorker({ taken: true })
  return removal.visibility
}

/** Saves the credential if the remote server lists its tools with it, and reindexes the source. */
async function rotate(call: ChangeCall, source: SourceRow, credential: RemoteCredential) {
  const { deps, server } = call
  const { store, vault } = deps
  if (!(await vault.isAvailable(store.read))) throw new DocentError('credentials_unavailable')
  const tools = await testCredential(call, source, credential)
  const now = deps.clock()
  const token = await store.transaction(async (tx) => {
    const current = found(await lockServer(tx, server.id), 'server_not_found')
    found(await findSource(tx, server.id, source.id), 'source_not_found')
    const sealed = await vault.seal(tx, credential.secret, { table: 'credentials', id: source.id })
    await saveCredential(tx, { sourceId: source.id, headerName: credential.headerName, sealed, updatedAt: now })
    await enqueueAnew(tx, source)
    return becomePrivate(tx, current, now)
  })
  deps.wakeWorker({ taken: true })
  const visibility = 'private' as const
  return { ok: true as const, hasCredential: true, tools, visibility, issuedToken: presentIssued(token) }
}

async function testCredential({ deps, server }: ChangeCall, source: SourceRow, credential: RemoteCredential) {
  const url = fullAddress(deps.vault, source)
  try {
    const caller = { serverId: server.id, accountId: server.accountId }
    return await listRemoteTools(() => deps.openLiveSession(caller, { url, credential }))
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    throw untestedError(error, 'credential')
  }
}
