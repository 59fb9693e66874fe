import { zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { ByteCache } from '../byte-cache.ts'
import { cachedSegment, cachedTexts, loadWhole, type Segment } from './open-segment.ts'
import { SegmentBuilder } from './segment-builder.ts'

const bytes = new SegmentBuilder().finish()

test('evicts the least recently used segment when full', async () => {
  const loads: string[] = []
  const cache = new ByteCache<Segment>(bytes.byteLength * 2)
  const load = loadWhole(async (id) => {
    loads.push(id)
    return bytes
  })
  await cachedSegment(cache, 'a', load)
  await cachedSegment(cache, 'b', load)
  await cachedSegment(cache, 'a', load)
  await cachedSegment(cache, 'c', load)
  expect(cache.bytes).toBe(bytes.byteLength * 2)
  expect(cache.get('a')).toBeDefined()
  expect(cache.get('b')).toBeUndefined()
  await cachedSegment(cache, 'b', load)
  expect(loads).toEqual(['a', 'b', 'c', 'b'])
})

test('loads a segment larger than the cache once', async () => {
  const cache = new ByteCache<Segment>(10)
  let loads = 0
  const load = loadWhole(async () => (loads++, bytes))
  for (let n = 0; n < 3; n++) expect((await cachedSegment(cache, 'a', load))?.pageCount).toBe(0)
  expect(loads).toBe(1)
})

test('caches neither missing segments nor failures', async () => {
  const answers = [null, new Error('down'), bytes]
  const cache = new ByteCache<Segment>(1_000_000)
  const load = loadWhole(async () => {
    const answer = answers.shift() ?? null
    if (answer instanceof Error) throw answer
    return answer
  })
  expect(await cachedSegment(cache, 'a', load)).toBeNull()
  await expect(cachedSegment(cache, 'a', load)).rejects.toThrow('down')
  expect(await cachedSegment(cache, 'a', load)).not.toBeNull()
})

function cacheOf(texts: Record<string, string>, capacity: number) {
  const loaded: string[] = []
  const load = async (_: string, hashes: string[]) => {
    loaded.push(...hashes)
    return new Map(hashes.flatMap((hash) => (hash in texts ? [[hash, zstdCompressSync(texts[hash] ?? '')]] : [])))
  }
  const cache = new ByteCache<string>(capacity)
  return { loaded, get: (textHash: string) => cachedTexts(cache, [{ sourceId: 'source', textHash }], load) }
}

test('loads a text once for any size and compression ratio', async () => {
  const texts = { long: 'a'.repeat(1_000_000), none: '', other: 'Überall — 文書' }
  const { get, loaded } = cacheOf(texts, 2_000_000)
  for (const [hash, text] of [...Object.entries(texts), ...Object.entries(texts)])
    expect(await get(hash)).toEqual(new Map([[hash, text]]))
  expect(loaded).toEqual(['long', 'none', 'other'])
})

test('omits a missing text and requests it again', async () => {
  const { get, loaded } = cacheOf({}, 1_000)
  expect(await get('gone')).toEqual(new Map())
  await get('gone')
  expect(loaded).toEqual(['gone', 'gone'])
})

test('counts one byte per character for ASCII texts and two for others', async () => {
  const { get, loaded } = cacheOf({ ascii: 'a'.repeat(100), other: `${'a'.repeat(49)}é`, more: 'b' }, 200)
  await get('ascii')
  await get('other')
  await get('ascii')
  expect(loaded).toEqual(['ascii', 'other'])
  await get('more')
  await get('other')
  expect(loaded).toEqual(['ascii', 'other', 'more', 'other'])
})
