import { randomBytes } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** `length` base62 characters from the system's randomness; 5.95 bits each, without modulo bias. */
export function randomText(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length + 8)) {
      // 248 is the largest multiple of 62 in a byte.
      if (byte < 248 && text.length < length) text += ALPHABET[byte % 62]
    }
  }
  return text
}

type Kind = 'acc' | 'srv' | 'src' | 'ct' | 'rule' | 'key' | 'tok' | 'call' | 'cfg' | 'seg' | 'lnk' | 'ses' | 'upl'

/**
 * A new opaque id that sorts by when it was made: its kind, `_`, the time, and 20 random characters (119 bits). For
 * tables that grow fast: rows that come together lie together in the index, and a batch of them writes few pages.
 */
export function newTimedId(kind: Kind, now: number): string {
  return `${kind}_${now.toString(36).padStart(9, '0')}${randomText(20)}`
}

/** A new opaque id: its kind, `_`, and 22 characters (131 bits). */
export function newId(kind: Kind): string {
  return `${kind}_${randomText(22)}`
}
