import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { charactersOf, randomText } from '#lib/ids.ts'

export type SecretPrefix =
  | 'dk_live_'
  | 'dat_'
  | 'dcs_'
  | 'des_'
  | 'dss_'
  | 'dsl_'
  | 'dmi_'
  | 'dph_'
  | 'dps_'
  | OAuthPrefix
/** Of the authorization server: access token, refresh token, code, secret of a client. */
type OAuthPrefix = 'dot_' | 'dor_' | 'doc_' | 'dos_'

/** 30 base62 characters are 178 bits. */
const RANDOM_LENGTH = 30
/** A CRC-32 fits six base62 digits. */
const CHECKSUM_LENGTH = 6
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Creates a secret: prefix, random part, checksum. The checksum rejects typos without a look-up. */
export function newSecret(prefix: SecretPrefix) {
  return secretOf(prefix, randomText(RANDOM_LENGTH))
}

/**
 * The secret that follows from an earlier one and a salt, always the same. Neither who has the earlier secret alone nor
 * who has the salt alone can make it: its characters are those of an HMAC-SHA512 with the earlier secret as the key.
 */
export function successorOf(earlier: string, salt: string, prefix: SecretPrefix) {
  const bytes = createHmac('sha512', earlier).update(`${prefix}${salt}`).digest()
  return secretOf(prefix, charactersOf(bytes).slice(0, RANDOM_LENGTH))
}

function secretOf(prefix: SecretPrefix, random: string) {
  const body = prefix + random
  const plaintext = body + checksum(body)
  return { plaintext, hash: hashSecret(plaintext), last4: plaintext.slice(-4) }
}

/** True if `text` has the right prefix, length and checksum. Needs no look-up. */
export function isWellFormed(prefix: SecretPrefix, text: string): boolean {
  if (!text.startsWith(prefix) || text.length !== prefix.length + RANDOM_LENGTH + CHECKSUM_LENGTH) return false
  const body = text.slice(0, -CHECKSUM_LENGTH)
  return timingSafeEqual(Buffer.from(checksum(body)), Buffer.from(hashLength(text.slice(-CHECKSUM_LENGTH))))
}

/** SHA-256, hex. Secrets have 178 random bits, so a slow hash adds no security. */
export function hashSecret(plaintext: string): string {
  return createHash('sha256').update(plaintext).digest('hex')
}

/** Compares two hashes or signatures in constant time. */
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

/** Keeps the lengths equal for multi-byte characters. */
const hashLength = (text: string): string => text.replace(/[^0-9A-Za-z]/g, '-')
