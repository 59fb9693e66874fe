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

test('decodes blocks and entries with all their numbers, as an earlier program wrote them', () => {
  const old =
    'XQAAACi1L/0gW6UCALIFFBqAqToaZYbPkUheBwvRS/DC1+E+HWSsbSJTCj5npRHKrtSatqptygwggdsCfBhWlcw1qxuGH+LbFYviCC8gjw8iFkp8O3RH7l6yPJgkzhg4AA=='
  const chunk = {
    start: 0,
    end: 40,
    headings: ['Setup'],
    anchor: 'setup',
    blocks: [
      { kind: 'heading' as const, start: 0, end: 8, level: 2, text: 'Setup', anchor: 'setup' },
      { kind: 'paragraph' as const, start: 14, end: 20 },
      { kind: 'code' as const, start: 22, end: 40, codeStart: 26, codeEnd: 36, language: 'sh' },
    ],
    entries: [
      { kind: 'step' as const, start: 0, end: 40, name: { start: 3, end: 8 }, keys: [7] },
      { kind: 'option' as const, start: 14, end: 20, name: { start: 24, end: 26 }, keys: [8, 9] },
    ],
  }
  const outline = { language: 'en', chunks: [chunk] }
  expect(decodeOutline(Buffer.from(old, 'base64'))).toEqual(outline)
  expect(decodeOutline(encodeOutline(outline))).toEqual(outline)
})
