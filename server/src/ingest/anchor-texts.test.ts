import { expect, test } from 'vitest'
import { createCounts } from './anchor-texts.ts'

test('the most frequent texts come first, repeated as often as they are used, and navigation after them', () => {
  const counts = createCounts()
  for (let times = 0; times < 20; times++) counts.add(['/a', 'often'])
  for (let times = 0; times < 2; times++) counts.add(['/a', 'twice'])
  counts.add(['/b', 'elsewhere'])
  expect(counts.textsOf('/a', ['often', 'menu'])).toEqual([
    'often',
    'twice',
    'menu',
    ...Array(7).fill('often'),
    'twice',
  ])
  expect(counts.textsOf('/none', [])).toEqual([])
})

test('twelve different texts are given for a page, and forty in all', () => {
  const counts = createCounts()
  for (let at = 0; at < 13; at++) for (let times = 0; times < 20 - at; times++) counts.add(['/a', `text ${at}`])
  const texts = counts.textsOf('/a', ['menu'])
  expect(new Set(texts)).toEqual(new Set(Array.from({ length: 12 }, (_, at) => `text ${at}`)))
  expect(texts).toHaveLength(40)
})

test('of one page sixty-four different texts are counted', () => {
  const counts = createCounts()
  for (let at = 0; at < 65; at++) counts.add(['/a', `text ${at}`])
  for (let at = 0; at < 65; at++) counts.add(['/a', 'text 64'])
  expect(counts.textsOf('/a', [])).not.toContain('text 64')
  for (let times = 0; times < 3; times++) counts.add(['/a', 'text 63'])
  expect(counts.textsOf('/a', [])[0]).toBe('text 63')
})
