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

type Kind = 'acc' | 'srv' | 'src' | 'ct' | 'rule' | 'key' | 'tok' | 'call' | 'cfg' | 'seg' | 'lnk'

/** A new opaque id: its kind, `_`, and 22 characters (131 bits). */
export function newId(kind: Kind): string {
  return `${kind}_${randomText(22)}`
}
