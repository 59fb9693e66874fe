import { sourceKind } from '@docent/contract/values/source-kinds'
import { DocentError, found } from '#errors.ts'
import type { Db } from '#store/db.ts'
import { maskAddress } from '#lib/addresses/secret-address.ts'
import { lockServer, firstServerId } from '#store/servers/servers.ts'
import { findSource, insertSourceRow, listSources, newSourceRow, type SourceRow } from '#store/sources/sources.ts'
import { enqueueFirst } from '#jobs/enqueue-ingest.ts'
import { newId } from '#lib/ids.ts'
import { saveCredential } from '#store/accounts/secrets.ts'
import { planOf, planUrl, sourceLimit } from '#auth/plans.ts'
import { isAtAddress } from '#auth/vault.ts'
import { sourceCredits } from '#store/accounts/purchases.ts'
import type { CheckedCall, Handler, OperationDeps } from '../operation.ts'
import { becomePrivate, presentIssued } from '../account/keys.ts'
import { presentSource } from './present-source.ts'
import {
  type NewSource,
  checkRepository,
  checkSource,
  mayUseLinkedAccount,
  privateUrlError,
  refuseWithoutRepository,
  requireUrl,
  usesSiteAccess,
} from './check-source.ts'

export const addSource: Handler<'sources.add'> = async (call, input) => {
  const { deps, actor, server, remember, signal } = call
  const address = requireUrl(input.url)
  if (deps.isPrivateByText(address)) throw privateUrlError(deps, address)
  const source = checkSource(address, input)
  // Checked before any DNS look-up or request to a code host, and again under the lock.
  await refuseUnlessWelcome(deps.store.read, call, address.href)
  const verdict = await deps.checkAddress(address, { account: actor.accountId, signal })
  if (verdict === 'private') throw privateUrlError(deps, address)
  const isRepository = sourceKind(source.type).isRepository
  const { isPrivate, isUnasked } = isRepository
    ? await checkRepository(deps, actor, address)
    : { isPrivate: await usesSiteAccess(deps, actor, source), isUnasked: false }
  if (isUnasked) await refuseWithoutRepository(deps, address)
  const keepsPrivate = isPrivate || source.isCredentialed

  const now = deps.clock()
  const answer = await deps.store.transaction(async (tx) => {
    const current = found(await lockServer(tx, server.id), 'server_not_found')
    await refuseUnlessWelcome(tx, call, address.href)
    const usesLinkedAccount = isPrivate && mayUseLinkedAccount(actor)
    const about = { serverId: server.id, isPrivate, usesLinkedAccount, createdAt: now }
    const id = await insertSource(tx, deps, source, about)
    const token = keepsPrivate ? await becomePrivate(tx, current, now) : null
    const added = found(await findSource(tx, server.id, id), 'source_not_found')
    return remember(tx, {
      ...(await presentSource(tx, added, source.auth !== null)),
      visibility: keepsPrivate ? ('private' as const) : current.visibility,
      issuedToken: presentIssued(token),
      ...(source.warning === null ? {} : { warning: source.warning }),
    })
  })
  deps.wakeWorker()
  return answer
}

async function refuseUnlessWelcome(db: Db, call: CheckedCall<'sources.add'>, href: string): Promise<void> {
  const sources = await listSources(db, call.server.id)
  await refuseFurtherSource(db, call, sources)
  if (sources.some((source) => isAtAddress(call.deps.vault, source, href))) throw new DocentError('source_exists')
}

type About = {
  serverId: string
  isPrivate: boolean
  /** True if it may be read with the account's linked code host, or its site access. */
  usesLinkedAccount: boolean
  createdAt: number
}

/** Writes a source with its credential and queues it. Returns its id. Throws `503 credentials_unavailable`. */
export async function insertSource(
  tx: Db,
  { vault }: Pick<OperationDeps, 'vault'>,
  { address, label, type, isGuessed, auth, allowedTools, include, exclude, versions }: NewSource,
  { serverId, isPrivate, usesLinkedAccount, createdAt }: About,
): Promise<string> {
  const id = newId('src')
  const url = await shownAddress(tx, serverId, address.href)
  const sealedUrl = url === address.href ? null : await vault.seal(tx, address.href, { table: 'sources', id })
  const row = newSourceRow({ id, serverId, url, type, label, createdAt })
  await insertSourceRow(tx, {
    ...row,
    sealedUrl,
    isPrivate: isPrivate ? 1 : 0,
    usesLinkedAccount: usesLinkedAccount ? 1 : 0,
    typeGuessed: isGuessed ? 1 : 0,
    allowedTools: JSON.stringify(allowedTools),
    includePatterns: JSON.stringify(include),
    excludePatterns: JSON.stringify(exclude),
    versions: JSON.stringify(versions),
  })
  if (auth) {
    const sealed = await vault.seal(tx, auth.secret, { table: 'credentials', id: row.id })
    await saveCredential(tx, { sourceId: row.id, headerName: auth.headerName, sealed, updatedAt: createdAt })
  }
  await enqueueFirst(tx, row)
  return row.id
}

/** The address as it is stored and shown. Further sources of a server that differ in their secrets get a number. */
async function shownAddress(tx: Db, serverId: string, href: string): Promise<string> {
  const shown = maskAddress(href)
  if (shown === href) return href
  const taken = new Set((await listSources(tx, serverId)).map(({ url }) => url))
  for (let number = 1; ; number++) {
    const url = maskAddress(href, number)
    if (!taken.has(url)) return url
    // Nothing is masked: only the user names differ.
    if (url === shown && number > 1) throw new DocentError('source_exists')
  }
}

/**
 * Throws a 402 if the server may not have another source: the plan's sources are used up (`source_limit_reached`), the
 * purchased ones as well (`source_credit_required`), or its text has reached the plan's limit
 * (`source_size_limit_reached`).
 */
export async function refuseFurtherSource(
  db: Db,
  { deps, actor, server: { id: serverId } }: Pick<CheckedCall<'sources.add'>, 'deps' | 'actor' | 'server'>,
  sources: readonly SourceRow[],
): Promise<void> {
  const isFirst = (await firstServerId(db, actor.accountId)) === serverId
  const included = sourceLimit(actor, { isFirst, now: deps.clock() })
  const paidCredits = await sourceCredits(db, serverId)
  const upgradeUrl = planUrl(deps.baseUrl())
  const canUpgrade = planOf(actor.plan).sourcesPerServer !== null
  const purchaseUrl = `${upgradeUrl}?buy=source&server=${serverId}`
  const shared = { paidCredits, canUpgrade, purchaseUrl, upgradeUrl }
  if (included !== null && sources.length >= included + paidCredits) {
    const code = paidCredits > 0 ? 'source_credit_required' : 'source_limit_reached'
    throw new DocentError(code, { fields: { limit: included + paidCredits, used: sources.length, ...shared } })
  }
  const limit = planOf(actor.plan).sourceBytesPerServer
  const used = sources.reduce((total, { textBytes }) => total + textBytes, 0)
  if (limit !== null && used >= limit) {
    throw new DocentError('source_size_limit_reached', { fields: { limit, used, ...shared } })
  }
}
