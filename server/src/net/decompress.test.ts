import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { decompress } from './decompress.ts'

const MAX = 1_000_000
/** Around the size of the block that is decompressed to, and of those that small buffers are cut out of. */
const SIZES = [1, 10, 5_000, 30_000, 40_000, 65_535, 65_536, 65_537, 200_000]
const CODINGS = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync }

test('what is decompressed holds no more memory than it has bytes, and shares it with nothing', async () => {
  for (const [coding, compress] of Object.entries(CODINGS))
    for (const size of SIZES) {
      const text = Buffer.alloc(size, 'some words of a page ')
      const compressed = compress(text)
      const bytes = await decompress(compressed, coding, MAX)
      expect(Buffer.from(bytes).equals(text)).toBe(true)
      expect([bytes.byteOffset, bytes.buffer.byteLength]).toEqual([0, size])
      expect(compress(text).equals(compressed)).toBe(true)
    }
})

test('what is not compressed is given as it came', async () => {
  const body = Buffer.from('as it came')
  expect(await decompress(body, '', MAX)).toBe(body)
  expect(await decompress(body, 'identity', MAX)).toBe(body)
})
