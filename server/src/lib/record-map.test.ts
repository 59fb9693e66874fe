import { expect, test } from 'vitest'
import { RecordMap } from './record-map.ts'

test('a record stays the same while it is in use, however many others come', () => {
  const records = new RecordMap(
    () => ({ uses: 0 }),
    ({ uses }) => uses === 0,
    4,
  )
  const kept = records.of('kept')
  kept.uses++
  for (let n = 0; n < 100; n++) records.of(`idle ${n}`)
  expect(records.of('kept')).toBe(kept)
  expect(records.size).toBeLessThanOrEqual(4)
})

test('records in use are all kept, and idle ones are dropped at twice their number', () => {
  const records = new RecordMap(
    () => ({ uses: 0 }),
    ({ uses }) => uses === 0,
    4,
  )
  for (let n = 0; n < 20; n++) records.of(`used ${n}`).uses++
  let most = 0
  for (let n = 0; n < 200; n++) {
    records.of(`idle ${n}`)
    most = Math.max(most, records.size)
  }
  expect(Array.from({ length: 20 }, (_, n) => records.get(`used ${n}`)?.uses)).toEqual(Array(20).fill(1))
  expect(most).toBeLessThanOrEqual(42)
})
