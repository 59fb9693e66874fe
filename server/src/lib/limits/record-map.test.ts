import { expect, test } from 'vitest'
import { RecordMap } from './record-map.ts'

test('keeps a record while it is in use, however many others are added', () => {
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

test('keeps all records in use, and drops idle ones at twice their number', () => {
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
