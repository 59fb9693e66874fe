import { expect, test } from 'vitest'
import { isNestedDeeper } from './json-depth.ts'

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
