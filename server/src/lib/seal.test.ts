import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { seal, unseal } from './seal.ts'

const key = randomBytes(32)

describe('sealed text', () => {
  test.each(['secret', '', 'ünïcödé ☃', 'x'.repeat(100_000)])('decrypts for the owner with the right key', (text) => {
    expect(unseal(key, seal(key, text, 'a:1'), 'a:1')).toBe(text)
  })

  test('encrypts the same text differently each time', () => {
    const sealed = new Set(Array.from({ length: 100 }, () => seal(key, 'secret', 'a:1')))
    expect(sealed.size).toBe(100)
    for (const text of sealed) expect(Buffer.from(text, 'base64url').includes('secret')).toBe(false)
  })

  test('refuses another owner, another key, and modified or truncated text', () => {
    const sealed = seal(key, 'secret', 'a:1')
    expect(() => unseal(key, sealed, 'a:2')).toThrow()
    expect(() => unseal(randomBytes(32), sealed, 'a:1')).toThrow()
    const bytes = Buffer.from(sealed, 'base64url')
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => unseal(key, changed.toString('base64url'), 'a:1')).toThrow()
      expect(() => unseal(key, bytes.subarray(0, at).toString('base64url'), 'a:1')).toThrow()
    }
  })
})
