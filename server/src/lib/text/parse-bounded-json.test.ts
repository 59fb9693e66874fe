import { expect, test } from 'vitest'
import { hasMoreValues, parseBoundedJson } from './parse-bounded-json.ts'

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
