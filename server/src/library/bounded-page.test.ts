import { expect, test } from 'vitest'
import { boundedPage, MAX_PAGE } from './bounded-page.ts'

test('a page is read up to 2,000,000 characters, and no character is cut in two', () => {
  const whole = 'a'.repeat(MAX_PAGE)
  expect(boundedPage(whole)).toBe(whole)
  expect(boundedPage(`${whole}b`)).toBe(whole)
  expect(boundedPage(`${whole.slice(1)}😀`).isWellFormed()).toBe(true)
})
