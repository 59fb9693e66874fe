import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonBytes } from './json-bytes.ts'

test('the bytes of any JSON are those of UTF-8', () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: 'binary' }), (json) => {
      expect(Buffer.from(jsonBytes(json)).toString()).toBe(json)
    }),
  )
})

test('half a character, which JSON escapes, does not hold an answer up', () => {
  const json = JSON.stringify({ text: 'a\ud83d', whole: '😀›é' })
  expect(Buffer.from(jsonBytes(json)).toString()).toBe(json)
})

test.each([32_768, 32_769])('a text of %i characters is whole, and is not changed by the next one', (length) => {
  const json = '›'.repeat(length)
  const bytes = jsonBytes(json)
  jsonBytes('‹'.repeat(length))
  expect(Buffer.from(bytes).toString()).toBe(json)
})
