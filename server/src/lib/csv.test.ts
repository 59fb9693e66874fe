import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'

test('cells are quoted, quotes in them doubled, and numbers left as they are', () => {
  expect(csvLine(['a "b", c', 3, null, true, 'two\nlines'])).toBe('"a ""b"", c",3,"",true,"two\nlines"\r\n')
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1', "=cmd|' /C calc'!A0"])(
  'the text %j is not taken for a formula',
  (text) => expect(csvLine([text]).startsWith(`"'`)).toBe(true),
)

test('a text that is none is left as it is', () => {
  expect(csvLine(['https://example.org/a=b'])).toBe('"https://example.org/a=b"\r\n')
})
