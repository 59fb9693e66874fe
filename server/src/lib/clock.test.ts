import { expect, test } from 'vitest'
import { waitInWords } from './clock.ts'

test.each([
  [1, '1 second'],
  [40, '40 seconds'],
  [100, '2 minutes'],
  [700, '12 minutes'],
  [3_600, '60 minutes'],
  [6_001, '2 hours'],
])('spells out a wait of %i seconds', (seconds, words) => {
  expect(waitInWords(seconds)).toBe(words)
})
