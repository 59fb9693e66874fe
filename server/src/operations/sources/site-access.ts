import { MAX_SITE_ACCESS } from '@docent/contract/operations/site-access'
import { type SiteCredential, secretsOf } from '#auth/site-access.ts'
import { DocentError } from '#errors.ts'
import { enqueueAnew } from '#jobs/enqueue-ingest.ts'
import { isoTime } from '#lib/clock.ts'
import { newId } from '#lib/ids.ts'
import { NetError } from '#net/net-error.ts'
import { withSecrets } from '#net/secret-address-client.ts'
import { signInPage } from '#net/sign-in-page.ts'
import type { Db } from '#store/db.ts'
import {
  type SiteAccess,
  deleteSiteAccess,
  listSiteAccess,
  listSourcesAt,
  saveSiteAccess,
} from '#store/accounts/site-access.ts'
import { withdrawContent } from '#store/sources/remove-source.ts'
import { lockAccount, lockServer } from '#store/servers/servers.ts'
import { updateSourceRow } from '#store/sources/sources.ts'
import type { HandlersOf, OperationDeps } from '../operation.ts'
import { privateUrlError, requireUrl } from './check-source.ts'

/** Milliseconds for trying a credential: a user is waiting. */
const TRIAL_MS = 15_000
const TRIAL_BYTES = 4 * 1024 * 1024

export const siteAccessHandlers: HandlersOf<'siteAccess'> = {
  'siteAccess.list': async ({ deps: { store }, actor }) => {
    const all = await listSiteAccess(store.read, actor.accountId)
    return { siteAccess: await Promise.all(all.map((access) => present(store.read, access))) }
  },

  'siteAccess.save': async ({ deps, actor, signal }, { origin: text, ...credential }) => {
    const { store, vault } = deps
    const address = requireUrl(text)
    if (deps.isPrivateByText(address) || deps.isOwnAddress(address)) throw privateUrlError(deps, address)
    if (!(await vault.isAvailable(store.read))) throw new DocentError('credentials_unavailable')
    await tryCredential(deps, { address, credential, signal })
    const { origin } = address
    const { accountId } = actor
    const kind = credential.basic ? 'basic' : credential.header ? 'header' : 'cookie'
    const { access, users } = await store.transaction(async (tx) => {
      await lockAccount(tx, accountId)
      const known = await listSiteAccess(tx, accountId)
      const earlier = known.find((one) => one.origin === origin)
      if (!earlier && known.length >= MAX_SITE_ACCESS)
        throw new DocentError('site_access_limit', { fields: { limit: MAX_SITE_ACCESS } })
      const id = earlier?.id ?? newId('sit')
      const sealed = await vault.seal(tx, JSON.stringify(credential), { table: 'siteAccess', id })
      const { createdAt, lastUsedAt } = earlier ?? { createdAt: deps.clock(), lastUsedAt: null }
      const row = { id, accountId, origin, kind, sealed, createdAt, lastUsedAt } as const
      await saveSiteAccess(tx, row)
      return { access: row, users: await readAnew(tx, row) }
    })
    if (users > 0) deps.wakeWorker({ taken: true })
    return present(store.read, access)
  },

  'siteAccess.remove': async ({ deps, siteAccess }) => {
    const sources = await deps.store.transaction(async (tx) => {
      const users = await readAnew(tx, siteAccess, true)
      if ((await deleteSiteAccess(tx, siteAccess)) === 0) throw new DocentError('site_access_not_found')
      return users
    })
    if (sources > 0) deps.wakeWorker({ taken: true })
    return { ok: true as const, sources }
  },
}

/** Queues the sources that are read with an access. `withdraws`: their content is deleted first, and they use it no more. */
async function readAnew(tx: Db, access: Pick<SiteAccess, 'accountId' | 'origin'>, withdraws = false): Promise<number> {
  const users = (await listSourcesAt(tx, access)).filter(usesAccess)
  for (const { id, serverId } of users) {
    // Those of a deleted server are read again if it is restored.
    if (await lockServer(tx, serverId)) await enqueueAnew(tx, { id, serverId })
    if (!withdraws) continue
    await updateSourceRow(tx, id, { isPrivate: 0, usesLinkedAccount: 0, crawlStatus: 'pending' })
    await withdrawContent(tx, id)
  }
  return users.length
}

const usesAccess = (source: { isPrivate: number; usesLinkedAccount: number }): boolean =>
  source.isPrivate === 1 && source.usesLinkedAccount === 1

type Trial = { address: URL; credential: SiteCredential; signal: AbortSignal }

/** Throws `422 credential_rejected` or `host_unavailable`, with what the site answered. */
async function tryCredential({ net }: OperationDeps, { address, credential, signal }: Trial): Promise<void> {
  const client = withSecrets(net, secretsOf(address.origin, credential))
  const acceptRedirect = (to: URL) => to.origin === address.origin
  const limits = { totalMs: TRIAL_MS, maxBytes: TRIAL_BYTES }
  const answer = await client.fetch(address.href, { ...limits, acceptRedirect, signal }).catch((cause: unknown) => {
    signal.throwIfAborted()
    if (!(cause instanceof NetError)) throw cause
    throw new DocentError('host_unavailable', { text: `${cause.message} ${NOT_SAVED}`, cause })
  })
  answer.release?.()
  const problem = problemOf(address, answer)
  if (problem) throw new DocentError('credential_rejected', { text: `${problem} ${NOT_SAVED}` })
}

const NOT_SAVED = 'The credential has not been saved.'

type Answer = { url: string; status: number; headers: Record<string, string> }

function problemOf(address: URL, { url, status, headers }: Answer): string | null {
  const scheme = /^[a-z]+/i.exec(headers['www-authenticate'] ?? '')?.[0]
  const wants = scheme ? ` It asks for ${scheme} authentication.` : ''
  if (status === 401 || status === 403) return `The site answered ${status} to a request with this credential.${wants}`
  const to = URL.parse(headers['location'] ?? '', url)
  if (status >= 300 && status < 400 && to && to.origin !== address.origin)
    return `The site leads to ${to.origin}, to which the credential is not sent. If that is the site, give its address. If it is a sign-in page, copy the Cookie header that your browser sends to ${address.origin} when you are signed in.`
  return signInPage(address, new URL(url))
}

async function present(db: Db, access: Omit<SiteAccess, 'sealed'>) {
  const { id, origin, kind, createdAt, lastUsedAt } = access
  const sources = (await listSourcesAt(db, access)).filter(({ deletedAt }) => deletedAt === null)
  return {
    id,
    origin,
    kind,
    createdAt: isoTime(createdAt),
    lastUsedAt: lastUsedAt === null ? null : isoTime(lastUsedAt),
    sources: sources.map(({ id: sourceId, serverId, slug, url, ...source }) => {
      return { sourceId, serverId, slug, url, usesAccess: usesAccess(source) }
    }),
  }
}
