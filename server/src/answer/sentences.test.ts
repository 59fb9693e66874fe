import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { sentencesOf } from './sentences.ts'

test.each([
  ['One. Two! Three?', ['One.', 'Two!', 'Three?']],
  ['Set it (e.g. To zero). Then run `a. B`. Done', ['Set it (e.g. To zero).', 'Then run `a. B`.', 'Done']],
  ['Needs v1.2.3 or node.js vs. Deno.', ['Needs v1.2.3 or node.js vs. Deno.']],
  ['At 5 p.m. every day.', ['At 5 p.m. every day.']],
  ['Wrapped\nlines. Stay\nwhole.', ['Wrapped\nlines.', 'Stay\nwhole.']],
  ['He said "stop." Then left.', ['He said "stop."', 'Then left.']],
  ['これは一つ。これは二つ！', ['これは一つ。', 'これは二つ！']],
  ['Really...? Yes.', ['Really...?', 'Yes.']],
  ['   ', []],
])('splits %j', (text, expected) => {
  expect(sentencesOf(text).map(({ start, end }) => text.slice(start, end))).toEqual(expected)
})

test('returns sentences in order, without overlap, omitting only white space', () => {
  const piece = fc.constantFrom('. ', '? ', '! ', '。', '`', 'A', 'b', ' ', '\n', '"', 'e.g. ')
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string())), (pieces) => {
      const text = pieces.join('')
      let at = 0
      for (const { start, end } of sentencesOf(text)) {
        expect(text.slice(at, start).trim()).toBe('')
        expect(end).toBeGreaterThan(start)
        at = end
      }
      expect(text.slice(at).trim()).toBe('')
    }),
  )
})
