import { expect, test } from 'vitest'
import fc from 'fast-check'
import { hasMoreValues, parseBoundedJson, jsonBytes, isNestedDeeper } from './bounded-json.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

test('parses JSON up to a value limit, and refuses one more before parsing', () => {
  expect(parseBoundedJson(bytes('[1,2,3]'), 4)).toEqual([1, 2, 3])
  expect(() => parseBoundedJson(bytes('[1,2,3,4]'), 4)).toThrow(RangeError)
})

test('ignores commas and brackets within strings', () => {
  const value = { 'a,"[{': 'b,\\",[{}]' }
  expect(parseBoundedJson(bytes(JSON.stringify(value)), 2)).toEqual(value)
})

test('refuses a megabyte of empty objects', () => {
  expect(hasMoreValues(bytes(`[${'{},'.repeat(350_000)}{}]`))).toBe(true)
})

test('reports invalid JSON as such', () => {
  expect(() => parseBoundedJson(bytes('<html>'))).toThrow(SyntaxError)
})

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

const nested = (depth: number, inside = '') => '['.repeat(depth) + inside + ']'.repeat(depth)

test('accepts text nested to the limit, and refuses one level more', () => {
  expect(isNestedDeeper(nested(10), 10)).toBe(false)
  expect(isNestedDeeper(nested(11), 10)).toBe(true)
  expect(isNestedDeeper(`{"a":${nested(9)}}${' '.repeat(99)}`, 10)).toBe(false)
  expect(isNestedDeeper(`{"a":${nested(10)}}`, 10)).toBe(true)
})

test('counts levels rather than brackets', () => {
  expect(isNestedDeeper(`[${Array.from({ length: 50 }, () => '[{}]').join(',')}]`, 3)).toBe(false)
})

test('ignores brackets inside strings, even after escaped quotes', () => {
  expect(isNestedDeeper(nested(2, JSON.stringify(`"${'['.repeat(100)}\\`)), 2)).toBe(false)
  expect(isNestedDeeper(`["\\\\",${nested(10)}]`, 10)).toBe(true)
  expect(isNestedDeeper(`["${'['.repeat(100)}`, 2)).toBe(false)
})
