import { expect, test } from 'vitest'
import { isCode, isOfTextFormat, TEXT_FORMAT, textHash, textShape, wordHashes } from './text-hash.ts'
import { cpuSeconds } from '../../test/support/lib/cpu-seconds.ts'

test('recognizes keys of the current text format', () => {
  const key = textHash('Guide', 'Text')
  expect(key).toMatch(/^[0-9a-f]{32}$/)
  expect(isOfTextFormat(key)).toBe(true)
  expect(isOfTextFormat(`${key.slice(0, -TEXT_FORMAT.length)}0001`)).toBe(false)
  expect(isOfTextFormat(null)).toBe(false)
})

const own = 'These words are the same on every page that the site makes up.'

test('gives the same shape to texts that differ only in headings, links, numbers and ids', () => {
  const shape = textShape(`# Page 1\n\n${own}\n\n[next](/page/2) 12 of 90 a81f0c`)
  expect(shape).not.toBeNull()
  expect(textShape(`# Page two\n\n${own}\n\n[on and on](/x) 13 of 90 77ab`)).toBe(shape)
  expect(textShape(`# Page 1\n\n${own} And these are not.`)).not.toBe(shape)
})

test('gives no shape to a text with few words besides links', () => {
  expect(textShape('# All\n\n- [One](/1)\n- [Two](/2)')).toBeNull()
})

test.each([
  ['Read page 12 of 2024', [false, false, false]],
  ['On 2024-05-17 at 10:15:02, version 1.2.3', [false, true, false, true, false, true]],
  ['utf8 decoder a81f0c straße3', [true, false, true, true]],
])('tells words with digits from others, and leaves out short numbers: %s', (text, codes) => {
  expect([...wordHashes(text)].map(isCode)).toEqual(codes)
})

test.each(['[', '[a](', 'a', '# ', '1'])('computes the shape of a hostile text in bounded time: %s', (piece) => {
  expect(cpuSeconds(() => textShape(piece.repeat(2_000_000)))).toBeLessThan(1)
})
