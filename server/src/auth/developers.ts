import { DocentError } from '#errors.ts'
import { newId, randomText } from '#lib/ids.ts'
import { findAccount } from '#store/accounts/accounts.ts'
import {
  type Developer,
  deleteUnusedTokens,
  findDeveloper,
  findDeveloperBySecret,
  insertDeveloper,
  replaceSecret,
  insertAttributionToken,
  useAttributionToken,
} from '#store/accounts/developers.ts'
import type { Db, Store } from '#store/db.ts'
import { actorFrom, bearer } from './authenticate.ts'
import { hashSecret, newSecret, sameHash } from './secret.ts'
import type { Vault } from './vault.ts'

/** Resolves a client secret to its account, or null. Every refusal takes the same time. */
export async function findClient(db: Db, authorization: string | null) {
  const secret = bearer(authorization) ?? ''
  const hash = hashSecret(secret)
  const developer = await findDeveloperBySecret(db, hash)
  if (!developer || !sameHash(developer.secretHash, hash)) return null
  const { clientId, ...holder } = developer
  return { actor: actorFrom(holder, 'client', secret), clientId }
}

/** Compares a client id from a request, of any type, with the developer's in constant time. */
export function isClientId(expected: string, given: unknown): boolean {
  return sameHash(hashSecret(expected), hashSecret(typeof given === 'string' ? given : ''))
}

type Deps = { store: Store; vault: Vault }

/** The account's profile. One of concurrent first requests creates it. Throws `503 credentials_unavailable`. */
export async function ensureDeveloper({ store, vault }: Deps, accountId: string): Promise<Developer> {
  const known = await findDeveloper(store.write, accountId)
  if (known) return known
  const account = await findAccount(store.read, accountId)
  const id = newId('dev')
  const now = store.clock()
  const { hash, sealed } = await newClientSecret({ store, vault }, id)
  await insertDeveloper(store.write, {
    id,
    accountId,
    clientId: newId('dci'),
    appName: account?.name ?? '',
    secretHash: hash,
    sealedSecret: sealed,
    createdAt: now,
    updatedAt: now,
  })
  // The write handle sees the row of a concurrent request.
  const made = await findDeveloper(store.write, accountId)
  if (!made) throw new DocentError('developer_unauthorized')
  return made
}

/** Replaces the client secret. The previous one, and tokens from it, are invalid with the next request on every node. */
export async function regenerateSecret(deps: Deps, developer: Developer): Promise<Developer> {
  const { hash, sealed } = await newClientSecret(deps, developer.id)
  const next = { secretHash: hash, sealedSecret: sealed, updatedAt: deps.store.clock() }
  await deps.store.transaction(async (tx) => {
    await replaceSecret(tx, developer.accountId, next)
    await deleteUnusedTokens(tx, developer.id)
  })
  return { ...developer, ...next }
}

async function newClientSecret({ store, vault }: Deps, id: string): Promise<{ hash: string; sealed: string }> {
  const { plaintext, hash } = newSecret('dcs_')
  return { hash, sealed: await vault.seal(store.read, plaintext, { table: 'developers', id }) }
}

/** The digit is the version of the token's form. */
const PREFIX = 'dav1_'
/** 22 base62 characters are 131 bits. */
const ID_LENGTH = 22
const FORM = /^dav1_([0-9A-Za-z]{22})\.([\w-]{43})$/

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

type Redeemed = NonNullable<Awaited<ReturnType<typeof useAttributionToken>>>

/**
 * Uses up a token of the developer, unless `admit` throws. Null for any other. A token without a valid signature costs
 * no query.
 */
export async function redeemAttributionToken(
  { store, vault }: Deps,
  { developerId, token }: { developerId: string; token: string },
  admit?: (tx: Db, redeemed: Redeemed) => Promise<void>,
): Promise<Redeemed | null> {
  const [, id = '', signature = ''] = FORM.exec(token) ?? []
  if (id === '' || !vault.isSigned(PREFIX + id, signature)) return null
  return store.transaction(async (tx) => {
    const redeemed = await useAttributionToken(tx, { id, developerId }, store.clock())
    if (redeemed) await admit?.(tx, redeemed)
    return redeemed ?? null
  })
}
