import { expect, test } from 'vitest'
import { shareReads } from './share-reads.ts'

function openReads() {
  const begun: { key: string; end: (value: number) => void; fail: (error: Error) => void }[] = []
  const read = shareReads((key) => {
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    begun.push({ key, end: resolve, fail: reject })
    return promise
  })
  return { begun, read }
}

test('shares the next read among all who came after one began, because that may miss a change', async () => {
  const { begun, read } = openReads()
  const first = read('a')
  const later = [read('a'), read('a'), read('a')]
  expect(begun).toHaveLength(1)
  begun[0]?.end(1)
  expect(await first).toBe(1)
  expect(begun).toHaveLength(2)
  const last = read('a')
  begun[1]?.end(2)
  expect(await Promise.all(later)).toEqual([2, 2, 2])
  begun[2]?.end(3)
  expect(await last).toBe(3)
})

test('begins at once for another key, and for one that nobody reads any more', async () => {
  const { begun, read } = openReads()
  void read('a')
  void read('b')
  expect(begun.map(({ key }) => key)).toEqual(['a', 'b'])
  begun[0]?.end(1)
  await Promise.resolve()
  void read('a')
  expect(begun).toHaveLength(3)
})

test('fails for those who share a read only', async () => {
  const { begun, read } = openReads()
  const first = read('a')
  const later = read('a')
  begun[0]?.fail(new Error('away'))
  await expect(first).rejects.toThrow('away')
  begun[1]?.end(2)
  expect(await later).toBe(2)
})
