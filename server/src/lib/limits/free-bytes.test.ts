import { expect, test } from 'vitest'
import { freeBytes } from './free-bytes.ts'

test('frees bytes with a separate buffer', () => {
  const bytes = new Uint8Array(100_000).fill(7)
  const { buffer } = bytes
  freeBytes(bytes)
  expect([buffer.byteLength, buffer.detached, bytes.byteLength]).toEqual([0, true, 0])
})

test('keeps bytes that share a buffer with others', () => {
  const shared = new Uint8Array(100).fill(7)
  for (const part of [shared.subarray(0, 50), shared.subarray(50), Buffer.from('small ones lie in one block')]) {
    const before = [...part]
    freeBytes(part)
    expect([...part]).toEqual(before)
  }
  expect(shared).toEqual(new Uint8Array(100).fill(7))
})
