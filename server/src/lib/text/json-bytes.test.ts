import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonBytes } from './json-bytes.ts'

test('encodes any JSON as UTF-8', () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: 'binary' }), (json) => {
      expect(Buffer.from(jsonBytes(json)).toString()).toBe(json)
    }),
  )
})

test('accepts a lone surrogate, which JSON escapes', () => {
  const json = JSON.stringify({ text: 'a\ud83d', whole: '😀›é' })
  expect(Buffer.from(jsonBytes(json)).toString()).toBe(json)
})

test.each([32_768, 32_769])(
  'encodes a text of %i characters completely, and does not change it on the next call',
  (length) => {
    const json = '›'.repeat(length)
    const bytes = jsonBytes(json)
    jsonBytes('‹'.repeat(length))
    expect(Buffer.from(bytes).toString()).toBe(json)
  },
)
