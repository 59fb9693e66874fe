import { sourceKind } from '@docent/contract/values/source-kinds'
import { DocentError } from '#errors.ts'
import type { Db } from '#store/db.ts'
import { addressKey } from '#lib/addresses/page-address.ts'
import { lockServer } from '#store/servers/servers.ts'
import { findSource, listSources } from '#store/sources/sources.ts'
import type { CheckedCall, Handler } from '../operation.ts'
import { typeOf } from '../servers/detect-type.ts'
import { becomePrivate, presentIssued } from './become-private.ts'
import { insertSource } from './insert-source.ts'
import { presentSource } from './present.ts'
import { checkRepository, mayUseLinkedAccount } from './repository-access.ts'
import { requireUrl } from './read-url.ts'
import { privateUrlError } from './refuse-private.ts'
import { refuseAllowedTools } from './refuse-allowed-tools.ts'
import { refuseFurtherSource } from './source-limits.ts'

export const addSource: Handler<'sources.add'> = async (call, input) => {
  const { url: text, type: givenType, label, auth, allowedTools = [], include = [], exclude = [] } = input
  const { deps, actor, server, remember, signal } = call
  const address = requireUrl(deps, text)
  if (deps.isPrivateByText(address)) throw privateUrlError(deps, address)
  const { type, isGuessed } = typeOf(address, { givenType, hasCredential: auth !== undefined })
  if (auth && !sourceKind(type).takesCredential) throw new DocentError('only_mcp_credentials')
  refuseAllowedTools(type, allowedTools)

  const refuse = async (db: Db) => refuseUnlessWelcome(db, call, address.href)
  // Checked before any DNS look-up or request to a code host, and again under the lock.
  await refuse(deps.store.read)
  const verdict = await deps.checkAddress(address, { account: actor.accountId, signal })
  if (verdict === 'private') throw privateUrlError(deps, address)
  const { isPrivate } = sourceKind(type).isRepository
    ? await checkRepository(deps, actor, address)
    : { isPrivate: false }

  const now = deps.clock()
  const answer = await deps.store.transaction(async (tx) => {
    const current = await lockServer(tx, server.id)
    if (!current) throw new DocentError('server_not_found')
    await refuse(tx)
    const source = {
      address,
      label: label ?? null,
      type,
      isGuessed,
      auth: auth ?? null,
      allowedTools,
      include,
      exclude,
    }
    const usesLinkedAccount = isPrivate && mayUseLinkedAccount(actor)
    const id = await insertSource(tx, deps, source, {
      serverId: server.id,
      isPrivate,
      usesLinkedAccount,
      createdAt: now,
    })
    const token = isPrivate || auth ? await becomePrivate(tx, current, now) : null
    const added = await findSource(tx, server.id, id)
    if (!added) throw new DocentError('source_not_found')
    const made = {
      ...(await presentSource(tx, added, auth !== undefined)),
      visibility: isPrivate || auth ? ('private' as const) : current.visibility,
      issuedToken: presentIssued(token),
    }
    await remember(tx, made)
    return made
  })
  deps.wakeWorker()
  return answer
}

async function refuseUnlessWelcome(
  db: Db,
  { deps, actor, server }: CheckedCall<'sources.add'>,
  href: string,
): Promise<void> {
  const sources = await listSources(db, server.id)
  const asked = { actor, serverId: server.id, sources, now: deps.clock(), baseUrl: deps.baseUrl() }
  await refuseFurtherSource(db, asked)
  const key = addressKey(href)
  if (sources.some(({ url }) => addressKey(url) === key)) throw new DocentError('source_exists')
}
