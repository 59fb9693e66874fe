import { expect, test } from 'vitest'
import { zstdCompressSync } from 'node:zlib'
import { decodeOutline, encodeOutline, linksOf, withLinks } from './outline.ts'

const BLOCK = { kind: 'paragraph', start: 2, end: 9 } as const
const OUTLINE = {
  language: 'de',
  chunks: [{ start: 0, end: 9, headings: ['Größe'], anchor: 'size', blocks: [BLOCK] }],
}
const LINKS: [string, string][] = [['https://docs.example/größe', 'Größe 😀']]

test('decodes outline and links separately, also from a view into a larger buffer', () => {
  const bytes = withLinks(encodeOutline(OUTLINE), LINKS)
  const framed = new Uint8Array(bytes.byteLength + 6)
  framed.set(bytes, 3)
  for (const given of [bytes, framed.subarray(3, 3 + bytes.byteLength)]) {
    expect(decodeOutline(given)).toEqual(OUTLINE)
    expect(linksOf(given)).toEqual(LINKS)
  }
})

test('decodes no links for a page without any', () => {
  const bytes = withLinks(encodeOutline(OUTLINE), [])
  expect(linksOf(bytes)).toEqual([])
  expect(decodeOutline(bytes)).toEqual(OUTLINE)
})

test('decodes the older format in one piece', () => {
  const old = zstdCompressSync(JSON.stringify({ ...OUTLINE, links: LINKS }))
  expect(decodeOutline(old)).toMatchObject(OUTLINE)
  expect(linksOf(old)).toEqual(LINKS)
  expect(linksOf(zstdCompressSync(JSON.stringify(OUTLINE)))).toEqual([])
})
