import { randomText } from '#lib/ids.ts'
import { insertAttributionToken, useAttributionToken } from '#store/accounts/embed-sessions.ts'
import type { Store } from '#store/db.ts'
import type { Vault } from './vault.ts'

/** The digit is the version of the token's form. */
const PREFIX = 'dav1_'
/** 22 base62 characters are 131 bits. */
const ID_LENGTH = 22
const FORM = /^dav1_([0-9A-Za-z]{22})\.([\w-]{43})$/

type Deps = { store: Store; vault: Vault }

/** Mints a token: prefix, id and signature. Null if this instance cannot sign. */
export async function mintAttributionToken(
  { store, vault }: Deps,
  owner: { developerId: string; endUserId: string | null },
  lifetimeMs: number,
): Promise<{ token: string; expiresAt: number } | null> {
  const id = randomText(ID_LENGTH)
  const signature = await vault.sign(store.read, PREFIX + id)
  if (signature === null) return null
  const createdAt = store.clock()
  const expiresAt = createdAt + lifetimeMs
  await insertAttributionToken(store.write, { id, ...owner, createdAt, expiresAt, usedAt: null })
  return { token: `${PREFIX}${id}.${signature}`, expiresAt }
}

/**
 * Uses up a token of the developer. Null if it is malformed, forged, of another developer, expired or used. A token
 * without a valid signature costs no query.
 */
export async function redeemAttributionToken(
  { store, vault }: Deps,
  developerId: string,
  token: string,
): Promise<{ id: string; endUserId: string | null } | null> {
  const [, id = '', signature = ''] = FORM.exec(token) ?? []
  if (id === '' || !vault.isSigned(PREFIX + id, signature)) return null
  return (await useAttributionToken(store.write, { id, developerId }, store.clock())) ?? null
}
