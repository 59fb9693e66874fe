import { hkdfSync, randomBytes } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'

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
