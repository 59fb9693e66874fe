import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'

test('quotes cells, doubles quotes in them, and leaves numbers unchanged', () => {
  expect(csvLine(['a "b", c', 3, null, true, 'two\nlines'])).toBe('"a ""b"", c",3,"",true,"two\nlines"\r\n')
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1', "=cmd|' /C calc'!A0"])(
  'escapes the text %j so that it is not taken for a formula',
  (text) => expect(csvLine([text]).startsWith(`"'`)).toBe(true),
)

test('leaves harmless text unchanged', () => {
  expect(csvLine(['https://example.org/a=b'])).toBe('"https://example.org/a=b"\r\n')
})
