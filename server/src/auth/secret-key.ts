import { hkdfSync, randomBytes } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'

/** A key for secrets at rest, and the name by which what it encrypted is told from the rest. */
export type SecretKey = { id: string; bytes: Uint8Array }

/** The key made of what the operator set. Its id is derived as well, and is of no use for finding the key. */
export function toSecretKey(text: string): SecretKey {
  const derive = (purpose: string, length: number) => Buffer.from(hkdfSync('sha256', text, '', purpose, length))
  return { id: derive('docent key id', 6).toString('hex'), bytes: derive('docent secrets at rest', 32) }
}

/** The keys in a key file, the one to encrypt with first; null when there is no such file. */
export function readKeyFile(path: string): string[] | null {
  try {
    return readFileSync(path, 'utf8').split(/\s+/).filter(Boolean)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Writes a key file that only its owner can read; whole or not at all. */
export function writeKeyFile(path: string, keys: readonly string[]): void {
  const next = `${path}.new`
  writeFileSync(next, `${keys.join('\n')}\n`, { mode: 0o600, flush: true })
  renameSync(next, path)
}

/** 256 bits, as text for a key file or a setting. */
export const newKeyText = (): string => randomBytes(32).toString('base64url')
