import type { Store } from '#store/db.ts'
import { currentKeyId, insertFirstKey } from '#store/accounts/secrets.ts'
import { newKeyText, readKeyFile, toSecretKey, writeKeyFile } from './secret-key.ts'
import { type Vault, createVault } from './vault.ts'

export type SecretSettings = {
  /** Keys from the settings, the encryption key first. Empty if none are set. */
  secretKeys: readonly string[]
  /**
   * Key file, created at the first start if the settings have no key. Null if several nodes share a database: each
   * would create its own key.
   */
  keyFile: string | null
}

/**
 * Opens the vault with the available keys. `problem` is a sentence that explains why secrets cannot be stored or read,
 * or null. Throws file system errors of the key file's folder.
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

/** Create a key only if no secret was ever stored. A new key would silently make the old secrets unreadable. */
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
