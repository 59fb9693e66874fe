import { expect, test } from 'vitest'
import { batchesOf } from './found-urls.ts'

const urls = (count: number, length: number) =>
  Array.from({ length: count }, (_, at) => ({ url: String(at).padEnd(length, 'x'), depth: 1 }))

test.each([
  [0, 100, []],
  [250, 100, [250]],
  [251, 100, [250, 1]],
  [80, 1_900, [78, 2]],
  [2, 75_000, [2]],
  [2, 75_001, [1, 1]],
  [2, 200_000, [1, 1]],
])('writes %i URLs of %i characters in transactions of %j', (count, length, sizes) => {
  const pages = urls(count, length)
  const batches = batchesOf(pages)
  expect(batches.map((batch) => batch.length)).toEqual(sizes)
  expect(batches.flat()).toEqual(pages)
})
