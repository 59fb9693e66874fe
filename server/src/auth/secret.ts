import { createHash, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { randomText } from '#lib/ids.ts'

/** What kind of credential a secret is, told by how it starts. */
export type SecretPrefix = 'dk_live_' | 'dat_' | 'dcs_' | 'dss_'

/** 30 base62 characters are 178 bits. */
const RANDOM_LENGTH = 30
/** A CRC-32 fits six base62 digits. */
const CHECKSUM_LENGTH = 6
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** What is kept of a secret: enough to recognise it and to show which one it is, not enough to use it. */
export type StoredSecret = { hash: string; last4: string }

/** A new secret: prefix, randomness, checksum. The checksum lets a scanner or the service refuse a typo unseen. */
export function newSecret(prefix: SecretPrefix): { plaintext: string } & StoredSecret {
  const body = prefix + randomText(RANDOM_LENGTH)
  const plaintext = body + checksum(body)
  return { plaintext, hash: hashSecret(plaintext), last4: plaintext.slice(-4) }
}

/** Whether `text` could be a secret of this kind: right prefix, length and checksum. Costs no look-up. */
export function isWellFormed(prefix: SecretPrefix, text: string): boolean {
  if (!text.startsWith(prefix) || text.length !== prefix.length + RANDOM_LENGTH + CHECKSUM_LENGTH) return false
  const body = text.slice(0, -CHECKSUM_LENGTH)
  return timingSafeEqual(Buffer.from(checksum(body)), Buffer.from(hashLength(text.slice(-CHECKSUM_LENGTH))))
}

/** SHA-256, hex. The secrets have 178 random bits, so a slow hash would add nothing. */
export function hashSecret(plaintext: string): string {
  return createHash('sha256').update(plaintext).digest('hex')
}

/** Compares two hex hashes in constant time. */
export function sameHash(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

function checksum(body: string): string {
  let rest = crc32(body)
  let text = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    text = (DIGITS[rest % 62] ?? '0') + text
    rest = Math.floor(rest / 62)
  }
  return text
}

/** Keeps the comparison's lengths equal whatever bytes a hostile character takes. */
const hashLength = (text: string): string => text.replace(/[^0-9A-Za-z]/g, '-')
