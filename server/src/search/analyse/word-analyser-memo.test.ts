import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { createWordAnalyser } from './word-analyser.ts'

const MB = 1_000_000

test('bounds the number of cached words', () => {
  const analyse = createWordAnalyser('en', 2)
  const first = analyse('first')
  analyse('second')
  expect(analyse('first')).toBe(first)
  analyse('third')
  expect(analyse('first')).not.toBe(first)
  expect(analyse('first')).toEqual(first)
})

test('keeps no text in memory from which a remembered word was cut', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const analyse = createWordAnalyser('en')
  collect()
  const before = process.memoryUsage().heapUsed
  for (let n = 0; n < 40; n++) {
    const text = Buffer.alloc(MB, `recollectable${String.fromCodePoint(65 + n)} `).toString('latin1')
    analyse(text.slice(0, 14))
  }
  collect()
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(5 * MB)
})
