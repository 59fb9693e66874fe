import { expect, test } from 'vitest'
import { impactBytes, type TermImpacts } from './rank/term-impacts.ts'
import { type Forgotten, SharedIndex } from './shared-index.ts'
import { ThreadImpacts } from './rank/impact-cache.ts'

const SIZE = 100

function openIndex({ segmentBytes = 1_000, impactBytes = 1_000_000, threads = 0 } = {}) {
  const loads: string[] = []
  const gone: Forgotten[] = []
  const index = new SharedIndex({
    load: async (id) => {
      loads.push(id)
      return id === 'missing' ? null : { bytes: new Uint8Array(SIZE).fill(7) }
    },
    segmentBytes,
    impactBytes,
    threads,
    onForget: (forgotten) => gone.push(forgotten),
  })
  return { index, loads, gone }
}

function someImpacts(count: number): TermImpacts {
  const words = (length: number) => new Uint32Array(new SharedArrayBuffer(4 * length))
  const [windows, pageStarts, chunkStarts, pageMost, pages] = [words(1), words(2), words(2), words(1), words(1)]
  const chunkMost = new Uint16Array(new SharedArrayBuffer(2))
  const lists = { windows, pageStarts, chunkStarts, pageMost, chunkMost, pages, chunks: words(count) }
  return { ...lists, windowCount: 1, pageStep: 0.5, chunkStep: 0.25 }
}

test('loads a segment once for concurrent threads', async () => {
  const { index, loads } = openIndex()
  const [first, second] = await Promise.all([index.segment('a'), index.segment('a')])
  expect(first?.bytes).toBe(second?.bytes)
  expect((await index.segment('a'))?.bytes).toBe(first?.bytes)
  expect(first && [...new Uint8Array(first.bytes).subarray(0, 2)]).toEqual([7, 7])
  expect(loads).toEqual(['a'])
})

test('retries a missing segment', async () => {
  const { index, loads } = openIndex()
  expect([await index.segment('missing'), await index.segment('missing')]).toEqual([null, null])
  expect(loads).toEqual(['missing', 'missing'])
})

test('tells threads to forget the least recently used segment when full', async () => {
  const { index, gone } = openIndex({ segmentBytes: 2 * SIZE })
  await index.segment('a')
  await index.segment('b')
  expect(index.useSegments(['a'])).toBe(SIZE)
  expect(index.useSegments(['a', 'c'])).toBeNaN()
  expect(gone).toEqual([])
  await index.segment('c')
  expect(gone).toEqual([{ segments: ['b'], impacts: [] }])
  expect(index.bytes).toBe(2 * SIZE)
})

test.each([
  ['keeps two segments if data derived by two threads fits', 64_300, []],
  ['evicts a segment if data derived by two threads does not fit', 64_200, [{ segments: ['a'], impacts: [] }]],
])('%s', async (_, segmentBytes, expected) => {
  const { index, gone } = openIndex({ segmentBytes, threads: 2 })
  for (const id of ['a', 'a', 'a', 'b', 'b']) await index.segment(id)
  expect(gone).toEqual(expected)
})

test('counts what the threads derive that asked for a segment, not all threads', async () => {
  const { index } = openIndex({ segmentBytes: 1_000_000, threads: 64 })
  await index.segment('a')
  expect(index.bytes).toBe(SIZE + 16_000 + 0.15 * SIZE)
})

test('loads a segment once for three of sixteen threads, also one larger than the limit', async () => {
  const { index, loads } = openIndex({ segmentBytes: SIZE / 2, threads: 16 })
  const first = await index.segment('large')
  for (let request = 1; request < 3; request++) expect((await index.segment('large'))?.bytes).toBe(first?.bytes)
  expect(loads).toEqual(['large'])
})

test('keeps the impacts of the first thread', () => {
  const { index } = openIndex()
  const [first, second] = [someImpacts(3), someImpacts(3)]
  expect(index.addImpacts('key', first, [])).toBe(first)
  expect(index.addImpacts('key', second, [])).toBe(first)
})

test('tells threads to forget the least recently used impacts when full', () => {
  const one = someImpacts(100)
  const size = impactBytes(one)
  const { index, gone } = openIndex({ impactBytes: 2 * size })
  index.addImpacts('a', one, [])
  index.addImpacts('b', someImpacts(100), [])
  index.useImpacts(['a'])
  index.addImpacts('c', someImpacts(100), [])
  expect(gone).toEqual([{ segments: [], impacts: ['b'] }])
  index.addImpacts('large', someImpacts(10_000), [])
  expect(gone.slice(1).flatMap(({ impacts }) => impacts)).toEqual(expect.arrayContaining(['a', 'c']))
})

test('forgets segments that no server uses and impacts based on them', async () => {
  const { index, gone } = openIndex()
  for (const id of ['old', 'new']) await index.segment(id)
  index.addImpacts('of both', someImpacts(3), ['new', 'old'])
  index.addImpacts('of new', someImpacts(3), ['new'])
  index.addImpacts('of one that is not in memory', someImpacts(3), ['older'])
  const asked: string[][] = []
  await index.forgetReplaced(async (ids) => (asked.push([...ids]), new Set(['new'])))
  expect(asked).toEqual([['old', 'new', 'older']])
  expect(gone).toEqual([
    { segments: ['old', 'older'], impacts: [] },
    { segments: [], impacts: ['of both', 'of one that is not in memory'] },
  ])
  const { bytes } = index
  await index.forgetReplaced(async (ids) => new Set(ids))
  expect(index.bytes).toBe(bytes)
  await index.forgetReplaced(async () => new Set())
  expect(index.bytes).toBe(0)
})

test('forgets nothing if the store does not answer', async () => {
  const { index, gone } = openIndex()
  await index.segment('a')
  await expect(index.forgetReplaced(() => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect([index.bytes, gone]).toEqual([SIZE, []])
})

test('repeats the order to forget a segment for threads that were loading it', async () => {
  const { index, gone } = openIndex()
  await index.segment('a')
  const forgetAll = () => index.forgetReplaced(async () => new Set())
  for (let round = 0; round < 3; round++) await forgetAll()
  expect(gone).toEqual([
    { segments: ['a'], impacts: [] },
    { segments: ['a'], impacts: [] },
  ])
})

test('shares impacts between threads in the same memory', () => {
  const made: [string, TermImpacts][] = []
  const used: string[][] = []
  const openThread = () =>
    new ThreadImpacts({ made: (key, impacts) => made.push([key, impacts]), used: (keys) => used.push(keys) })
  const [one, other] = [openThread(), openThread()]
  one.take('key', someImpacts(3))
  const impacts = one.get('key')
  if (impacts === undefined) throw new TypeError('They were just taken over.')
  other.set('key', impacts, 0, ['segment'])
  expect(made).toEqual([['key', impacts]])
  impacts.chunks[2] = 99
  expect(other.get('key')?.chunks[2]).toBe(99)
  other.forget(['key'])
  expect(other.get('key')).toBeUndefined()
  for (let at = 0; at < 512; at++) one.take(`key ${at}`, someImpacts(1))
  for (let at = 0; at < 511; at++) one.get(`key ${at}`)
  expect(used).toHaveLength(1)
  expect(used[0]).toHaveLength(512)
})

test('forgets a partial segment whose rest cannot be read, and keeps one that has become whole', async () => {
  const answers: (boolean | Error)[] = [true, new Error('down'), false, true]
  const gone: Forgotten[] = []
  let loads = 0
  const index = new SharedIndex({
    load: async () => {
      loads++
      const rest = {
        isWhole: false,
        async read(ranges: unknown) {
          const answer = answers.shift() ?? true
          if (answer instanceof Error) throw answer
          rest.isWhole = answer && ranges === null
          return answer
        },
      }
      return { bytes: new Uint8Array(SIZE), rest }
    },
    segmentBytes: 1_000,
    impactBytes: 1_000,
    onForget: (forgotten) => gone.push(forgotten),
  })
  expect((await index.segment('a'))?.isWhole).toBe(false)
  expect([await index.read('a', [[1, 2]]), loads, gone]).toEqual([true, 1, []])
  await expect(index.complete(['a', 'unknown'])).rejects.toThrow('down')
  expect(gone).toEqual([{ segments: ['a'], impacts: [] }])
  expect([await index.read('a', null), gone.length, loads]).toEqual([false, 2, 2])
  await index.segment('a')
  await index.complete(['a'])
  expect([(await index.segment('a'))?.isWhole, await index.read('a', null), loads]).toEqual([true, true, 3])
  expect(answers).toEqual([])
})
