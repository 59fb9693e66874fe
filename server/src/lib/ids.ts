import { randomBytes } from 'node:crypto'
import kinds from './id-kinds.json' with { type: 'json' }

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** `length` random base62 characters, 5.95 bits each, without modulo bias. */
export function randomText(length: number): string {
  let text = ''
  while (text.length < length) text += charactersOf(randomBytes(length + 8))
  return text.slice(0, length)
}

/** The largest multiple of 62 in a byte. Higher values would favour some characters. */
const UNBIASED = 248

type Kind = keyof typeof kinds

/** Random characters of a sortable id: 119 bits. */
const TIMED_CHANCE = 20
/** Bytes requested from the system at once. A request costs ten times as much as generating an id. */
const POOL_BYTES = 4_096

/** Opaque ids that sort by creation time. Rows of one batch are then neighbours in the index. */
export function createTimedIds(kind: Kind): (now: number) => string {
  let pool = ''
  let at = 0
  return (now) => {
    if (at + TIMED_CHANCE > pool.length) [pool, at] = [charactersOf(randomBytes(POOL_BYTES)), 0]
    return `${kind}_${now.toString(36).padStart(9, '0')}${pool.slice(at, (at += TIMED_CHANCE))}`
  }
}

/**
 * A base62 character for each byte, without the bytes that would favour some. Overwrites the bytes: joining single
 * characters takes longer.
 */
export function charactersOf(bytes: Buffer): string {
  let length = 0
  for (const byte of bytes) if (byte < UNBIASED) bytes[length++] = ALPHABET.charCodeAt(byte % 62)
  return bytes.toString('latin1', 0, length)
}

/** A new opaque id: kind, `_`, and 22 characters (131 bits). */
export function newId(kind: Kind): string {
  return `${kind}_${randomText(22)}`
}
