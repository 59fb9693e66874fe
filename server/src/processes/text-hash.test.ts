import { expect, test } from 'vitest'
import { isOfTextFormat, TEXT_FORMAT, textHash } from './text-hash.ts'

test('recognizes keys of the current text format', () => {
  const key = textHash('Guide', 'Text')
  expect(key).toMatch(/^[0-9a-f]{32}$/)
  expect(isOfTextFormat(key)).toBe(true)
  expect(isOfTextFormat(`${key.slice(0, -TEXT_FORMAT.length)}0001`)).toBe(false)
  expect(isOfTextFormat(null)).toBe(false)
})
