import type { Store } from '#store/db.ts'
import { listSealedValues, updateSealedValue, currentKeyId, replaceCurrentKey } from '#store/accounts/secrets.ts'
import type { SecretKey } from './secret-key.ts'
import { createVault } from './vault.ts'

/** A rotation that failed. The message is a sentence for the operator. */
export class RotationError extends Error {
  override name = 'RotationError'
}

/**
 * Re-encrypts every secret under the first of `keys`; the others decrypt. All or nothing: if no key opens some secret,
 * nothing changes. Returns the number of secrets. Throws `RotationError`.
 */
export async function rotateSecrets(store: Store, keys: readonly SecretKey[]): Promise<number> {
  const [next] = keys
  if (!next) throw new RotationError('There is no key to encrypt with. Set DOCENT_SECRET_KEY.')
  if ((await currentKeyId(store.read)) === next.id) {
    throw new RotationError(
      'The first key is the one in use already. Put a new one before it in DOCENT_SECRET_KEY, separated by a space.',
    )
  }
  const vault = createVault(keys)
  const now = await store.now()
  return store.transaction(async (tx) => {
    await replaceCurrentKey(tx, next.id, now)
    const values = await listSealedValues(tx)
    for (const value of values) {
      const plaintext = open(() => vault.unseal(value.sealed, value))
      await updateSealedValue(tx, { ...value, sealed: await vault.seal(tx, plaintext, value) })
    }
    return values.length
  })
}

function open(unseal: () => string): string {
  try {
    return unseal()
  } catch (cause) {
    throw new RotationError(
      'A credential was stored with a key that is not among those given. Bring that key back, or remove the credential.',
      { cause },
    )
  }
}
