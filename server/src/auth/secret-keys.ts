import { hkdfSync, randomBytes } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { Store } from '#store/db.ts'
import {
  currentKeyId,
  insertFirstKey,
  listSealedValues,
  updateSealedValue,
  replaceCurrentKey,
} from '#store/accounts/secrets.ts'
import { createVault } from './vault.ts'

/** A key for secrets at rest. `id` identifies the ciphertexts made with it. `signing` signs tokens. */
export type SecretKey = { id: string; bytes: Uint8Array; signing: Uint8Array }

/** Derives the key from the operator's setting. The id is derived as well, and does not reveal the key. */
export function toSecretKey(text: string): SecretKey {
  const derive = (purpose: string, length: number) => Buffer.from(hkdfSync('sha256', text, '', purpose, length))
  return {
    id: derive('docent key id', 6).toString('hex'),
    bytes: derive('docent secrets at rest', 32),
    signing: derive('docent signatures', 32),
  }
}

/** Reads the keys of a key file, the encryption key first. Null if the file does not exist. */
export function readKeyFile(path: string): string[] | null {
  try {
    return readFileSync(path, 'utf8').split(/\s+/).filter(Boolean)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Writes a key file atomically, readable by its owner only. */
export function writeKeyFile(path: string, keys: readonly string[]): void {
  const next = `${path}.new`
  writeFileSync(next, `${keys.join('\n')}\n`, { mode: 0o600, flush: true })
  renameSync(next, path)
}

/** 256 random bits as text for a key file or a setting. */
export const newKeyText = (): string => randomBytes(32).toString('base64url')

export type SecretSettings = {
  /** Keys from the settings, the encryption key first. Empty if none are set. */
  secretKeys: readonly string[]
  /** Key file, created at the first start without a key. Null if nodes share a database: each would create its own. */
  keyFile: string | null
}

/** Opens the vault. `problem` explains why secrets cannot be stored or read, or is null. Throws file system errors. */
export async function openVault(store: Store, settings: SecretSettings) {
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

/** A rotation that failed. The message is a sentence for the operator. */
export class RotationError extends Error {
  override name = 'RotationError'
}

/** Re-encrypts every secret under the first of `keys`, all or nothing. Returns their number. Throws `RotationError`. */
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
