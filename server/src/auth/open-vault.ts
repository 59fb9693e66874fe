import type { Store } from '#store/db.ts'
import { currentKeyId, insertFirstKey } from '#store/secret-keys.ts'
import { newKeyText, readKeyFile, toSecretKey, writeKeyFile } from './secret-key.ts'
import { type Vault, createVault } from './vault.ts'

export type SecretSettings = {
  /** From the settings, the one to encrypt with first; empty when there are none. */
  secretKeys: readonly string[]
  /**
   * Where a key is kept, and made at the first start, when the settings have none; null where several nodes share a
   * database, which would each make another.
   */
  keyFile: string | null
}

/**
 * The vault for the keys at hand. `problem` says in a sentence why no secret can be stored or read; null when all is
 * well. Throws what the key file's folder throws.
 */
export async function openVault(
  store: Store,
  settings: SecretSettings,
): Promise<{ vault: Vault; problem: string | null }> {
  const current = await currentKeyId(store.read)
  const texts = settings.secretKeys.length > 0 ? settings.secretKeys : keysOfFile(settings.keyFile, current)
  const keys = texts.map(toSecretKey)
  const [first] = keys
  if (first && current === undefined) await insertFirstKey(store.write, first.id, await store.now())
  const vault = createVault(keys)
  return { vault, problem: (await vault.isAvailable(store.read)) ? null : describe(settings, keys.length > 0) }
}

/** A new key only where no secret was ever kept: with another one the old secrets would be lost in silence. */
function keysOfFile(path: string | null, current: string | undefined): readonly string[] {
  if (path === null) return []
  const kept = readKeyFile(path)
  if (kept || current !== undefined) return kept ?? []
  const fresh = [newKeyText()]
  writeKeyFile(path, fresh)
  return fresh
}

function describe({ keyFile }: SecretSettings, hasKey: boolean): string {
  const rest = 'Credentials can be neither stored nor used until then; everything else works.'
  if (hasKey) return `The key for credentials is not the one they were stored with. Bring that one back. ${rest}`
  return keyFile === null
    ? `There is no key for credentials. Set DOCENT_SECRET_KEY, the same on every node. ${rest}`
    : `The key for credentials is missing: ${keyFile}. Bring that file back, or set DOCENT_SECRET_KEY. ${rest}`
}
