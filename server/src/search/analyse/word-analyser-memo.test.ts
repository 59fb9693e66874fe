import { expect, test } from 'vitest'
import { createWordAnalyser } from './word-analyser.ts'

test('bounds the number of cached words', () => {
  const analyse = createWordAnalyser('en', 2)
  const first = analyse('first')
  analyse('second')
  expect(analyse('first')).toBe(first)
  analyse('third')
  expect(analyse('first')).not.toBe(first)
  expect(analyse('first')).toEqual(first)
})
