import { expect, test } from 'vitest'
import { findDate } from './release-heading.ts'

test.each([
  ['released 2024/3/1', '2024-03-01'],
  ['2024-12-31', '2024-12-31'],
  ['March 2nd, 2024', '2024-03-02'],
  ['3 Mar. 2024', '2024-03-03'],
  ['March 2024', '2024-03-01'],
  // Days that their months do not have.
  ['2024-02-30', null],
  ['2024/2/31', null],
  ['February 30, 2024', null],
  ['1.2.3', null],
])('reads the date of %j as %j', (text, date) => {
  expect(findDate(text)).toBe(date)
})
