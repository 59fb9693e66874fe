import { expect, test } from 'vitest'
import { createCounts } from './anchor-texts.ts'

test('sorts texts by frequency, then adds navigation texts, then repeats', () => {
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

test('returns at most twelve distinct texts, and forty with repeats', () => {
  const counts = createCounts()
  for (let at = 0; at < 13; at++) for (let times = 0; times < 20 - at; times++) counts.add(['/a', `text ${at}`])
  const texts = counts.textsOf('/a', ['menu'])
  expect(new Set(texts)).toEqual(new Set(Array.from({ length: 12 }, (_, at) => `text ${at}`)))
  expect(texts).toHaveLength(40)
})

test('counts at most sixty-four distinct texts per page', () => {
  const counts = createCounts()
  for (let at = 0; at < 65; at++) counts.add(['/a', `text ${at}`])
  for (let at = 0; at < 65; at++) counts.add(['/a', 'text 64'])
  expect(counts.textsOf('/a', [])).not.toContain('text 64')
  for (let times = 0; times < 3; times++) counts.add(['/a', 'text 63'])
  expect(counts.textsOf('/a', [])[0]).toBe('text 63')
})
