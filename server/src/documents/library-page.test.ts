import { expect, test } from 'vitest'
import { boundedPage, MAX_PAGE } from './library-page.ts'

test('reads a page up to 2,000,000 characters without splitting a surrogate pair', () => {
  const whole = 'a'.repeat(MAX_PAGE)
  expect(boundedPage(whole)).toBe(whole)
  expect(boundedPage(`${whole}b`)).toBe(whole)
  expect(boundedPage(`${whole.slice(1)}😀`).isWellFormed()).toBe(true)
})
