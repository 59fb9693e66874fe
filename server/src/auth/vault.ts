import { DocentError } from '#errors.ts'
import { seal, unseal } from '#lib/seal.ts'
import type { Db } from '#store/db.ts'
import type { SealedTable } from '#store/accounts/sealed-values.ts'
import { currentKeyId } from '#store/accounts/secret-keys.ts'
import type { SecretKey } from './secret-key.ts'

/** Owner of a secret. The secret can be decrypted for this row only. */
export type SecretOwner = { table: SealedTable; id: string }

/** Encrypts secrets at rest with AES-256-GCM. Each ciphertext carries the id of its key. */
export type Vault = {
  /** Throws `503 credentials_unavailable` if the key of this instance is missing or different. */
  seal(db: Db, plaintext: string, owner: SecretOwner): Promise<string>
  /** Throws `503 credentials_unavailable` if the key is not available, or the ciphertext was tampered with. */
  unseal(sealed: string, owner: SecretOwner): string
  /** True if secrets can be sealed now. */
  isAvailable(db: Db): Promise<boolean>
}

export function createVault(keys: readonly SecretKey[]): Vault {
  const ring = new Map(keys.map((key) => [key.id, key.bytes]))
  // Read on every call, so that a rotation on another node applies immediately. Sealing is rare.
  const current = async (db: Db) => {
    const id = await currentKeyId(db)
    const bytes = id === undefined ? undefined : ring.get(id)
    return id === undefined || !bytes ? null : { id, bytes }
  }
  return {
    async seal(db, plaintext, owner) {
      const key = await current(db)
      if (!key) throw new DocentError('credentials_unavailable')
      return `${key.id}.${seal(key.bytes, plaintext, ownerText(owner))}`
    },
    unseal(sealed, owner) {
      const [id = '', body = ''] = sealed.split('.')
      const key = ring.get(id)
      if (!key) throw new DocentError('credentials_unavailable')
      try {
        return unseal(key, body, ownerText(owner))
      } catch (cause) {
        throw new DocentError('credentials_unavailable', { cause })
      }
    },
    isAvailable: async (db) => (await current(db)) !== null,
  }
}

const ownerText = ({ table, id }: SecretOwner): string => `${table}:${id}`
