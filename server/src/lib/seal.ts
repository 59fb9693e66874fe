import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
/** 96 random bits. NIST SP 800-38D allows 2^32 such nonces per key. */
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Encrypts with AES-256-GCM for one `owner`, which is authenticated. Base64url of nonce, tag and ciphertext. */
export function seal(key: Uint8Array, plaintext: string, owner: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(owner))
  const sealed = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** Decrypts text sealed under this key for this owner. Throws for damaged text or another owner. */
export function unseal(key: Uint8Array, sealed: string, owner: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(owner)).setAuthTag(tag)
  const body = bytes.subarray(NONCE_BYTES + TAG_BYTES)
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
}
