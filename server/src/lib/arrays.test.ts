import { expect, test } from 'vitest'
import { elementAt } from './arrays.ts'

test('reads arrays and typed arrays', () => {
  expect(elementAt(['a', 'b'], 1)).toBe('b')
  expect(elementAt(Uint8Array.of(0, 7), 0)).toBe(0)
})

test('throws outside of the array', () => {
  expect(() => elementAt(Uint8Array.of(1), 1)).toThrow('Index 1 is outside of an array of 1.')
  expect(() => elementAt([1], -1)).toThrow(RangeError)
})
