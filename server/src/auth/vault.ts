import { createHmac } from 'node:crypto'
import { DocentError } from '#errors.ts'
import { addressKey } from '#lib/addresses/page-address.ts'
import { seal, unseal } from '#lib/seal.ts'
import type { Db, Store } from '#store/db.ts'
import { type SealedTable, currentKeyId, findCredential } from '#store/accounts/secrets.ts'
import type { SecretKey } from './secret-keys.ts'
import { sameHash } from './secret.ts'

/** Owner of a secret. The secret can be decrypted for this row only. */
export type SecretOwner = { table: SealedTable; id: string }

export type Vault = ReturnType<typeof createVault>

/** Encrypts secrets at rest with AES-256-GCM. Each ciphertext carries the id of its key. */
export function createVault(keys: readonly SecretKey[]) {
  const ring = new Map(keys.map((key) => [key.id, key]))
  // Read on every call, so that a rotation on another node applies immediately. Sealing is rare.
  const current = async (db: Db) => {
    const id = await currentKeyId(db)
    return id === undefined ? null : (ring.get(id) ?? null)
  }
  return {
    /** Throws `503 credentials_unavailable` if the key of this instance is missing or different. */
    async seal(db: Db, plaintext: string, owner: SecretOwner): Promise<string> {
      const key = await current(db)
      if (!key) throw new DocentError('credentials_unavailable')
      return `${key.id}.${seal(key.bytes, plaintext, ownerText(owner))}`
    },
    /** Throws `503 credentials_unavailable` if the key is not available, or the ciphertext was tampered with. */
    unseal(sealed: string, owner: SecretOwner): string {
      const [id = '', body = ''] = sealed.split('.')
      const key = ring.get(id)
      if (!key) throw new DocentError('credentials_unavailable')
      try {
        return unseal(key.bytes, body, ownerText(owner))
      } catch (cause) {
        throw new DocentError('credentials_unavailable', { cause })
      }
    },
    /** Signs a text with HMAC-SHA256, as base64url. Null if the key of this instance is missing or different. */
    async sign(db: Db, text: string): Promise<string | null> {
      const key = await current(db)
      return key && signatureOf(key, text)
    },
    /** True if any key of this instance made the signature, in time that does not depend on the signature. */
    isSigned: (text: string, signature: string) => keys.some((key) => sameHash(signatureOf(key, text), signature)),
    /** True if secrets can be sealed now. */
    isAvailable: async (db: Db) => (await current(db)) !== null,
  }
}

const signatureOf = ({ signing }: SecretKey, text: string): string =>
  createHmac('sha256', signing).update(text).digest('base64url')

const ownerText = ({ table, id }: SecretOwner): string => `${table}:${id}`

type Addressed = { id: string; url: string; sealedUrl: string | null }

/** The address to fetch of a source or webhook, with its secrets. Throws `503 credentials_unavailable` if it has some. */
export const fullAddress = (
  vault: Vault,
  { id, url, sealedUrl }: Addressed,
  table: 'sources' | 'webhookAddresses' = 'sources',
): string => (sealedUrl === null ? url : vault.unseal(sealedUrl, { table, id }))

/** True if a source has this address, as it is shown or as it was given. */
export function isAtAddress(vault: Vault, source: Addressed, href: string): boolean {
  const key = addressKey(href)
  return addressKey(source.url) === key || (source.sealedUrl !== null && addressKey(fullAddress(vault, source)) === key)
}

/** The credential for a source's remote MCP server, or null. Throws `503 credentials_unavailable`. */
export async function readSourceCredential({ store, vault }: { store: Store; vault: Vault }, sourceId: string) {
  const row = await findCredential(store.read, sourceId)
  if (!row) return null
  return { headerName: row.headerName, secret: vault.unseal(row.sealed, { table: 'credentials', id: sourceId }) }
}
