import type { SourceType } from '@docent/contract/values/sources'
import { sourceKind } from '@docent/contract/values/source-kinds'
import { type Secrets, secretsOfHeaders } from '#lib/addresses/secret-address.ts'
import { findAccountOfSource, findSiteAccess, noteSiteAccess } from '#store/accounts/site-access.ts'
import type { SourceRow } from '#store/sources/sources.ts'
import type { Store } from '#store/db.ts'
import type { Vault } from './vault.ts'

/** A credential for the requests to one origin. One of them is present. */
export type SiteCredential = {
  basic?: { user: string; password: string } | undefined
  header?: { name: string; value: string } | undefined
  cookie?: string | undefined
}

/** The credential in the form of request headers, and what of it must not come back. */
export function secretsOf(origin: string, { basic, header, cookie }: SiteCredential): Secrets {
  if (basic) {
    const authorization = `Basic ${Buffer.from(`${basic.user}:${basic.password}`).toString('base64')}`
    return secretsOfHeaders(origin, { authorization }, [basic.password])
  }
  if (header) return secretsOfHeaders(origin, { [header.name.toLowerCase()]: header.value })
  return secretsOfHeaders(origin, { cookie: cookie ?? '' })
}

/** Kinds of source that site access is for. Code hosts and remote MCP servers have credentials of their own. */
export const takesSiteAccess = (type: SourceType): boolean =>
  !sourceKind(type).isRepository && !sourceKind(type).takesCredential

/** The saved access with which a source is read, or null. Throws `503 credentials_unavailable`. */
export async function openSiteAccess(
  { store, vault }: { store: Store; vault: Vault },
  { id: sourceId, url, type, isPrivate, usesLinkedAccount }: SourceRow,
): Promise<Secrets | null> {
  if (isPrivate === 0 || usesLinkedAccount === 0 || !takesSiteAccess(type)) return null
  const accountId = await findAccountOfSource(store.read, sourceId)
  const { origin } = new URL(url)
  const access = accountId === undefined ? undefined : await findSiteAccess(store.read, { accountId, origin })
  if (!access) return null
  await noteSiteAccess(store.write, access.id, store.clock())
  const credential = vault.unseal(access.sealed, { table: 'siteAccess', id: access.id })
  return secretsOf(origin, JSON.parse(credential) as SiteCredential)
}
