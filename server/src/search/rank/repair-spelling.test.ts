import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isOneEditAway, mayBeOneEditAway } from './repair-spelling.ts'

const encoder = new TextEncoder()
const letters = fc.constantFrom(...'abcdeéß中日😀')
const someWord = fc.array(letters, { minLength: 1, maxLength: 12 })

/** A word, and the same word after one random edit. */
const slip = fc
  .tuple(someWord, fc.nat(12), letters, fc.constantFrom('more', 'less', 'other', 'swapped'))
  .map(([word, place, letter, kind]) => {
    const at = place % word.length
    const slipped = {
      more: word.toSpliced(at, 0, letter),
      less: word.toSpliced(at, 1),
      other: word.with(at, letter),
      swapped: word.toSpliced(at, 2, ...word.slice(at, at + 2).toReversed()),
    }[kind]
    return [word.join(''), slipped.join('')] as const
  })

const mayBe = (a: string, b: string) => {
  const [key, word] = [encoder.encode(a), encoder.encode(b)]
  // Keys are in a longer buffer.
  return mayBeOneEditAway(new Uint8Array([...key, 1, 2, 3]), key.length, word)
}

test('passes every random edit of a word through the byte prefilter', () => {
  fc.assert(
    fc.property(slip, ([word, slipped]) => {
      expect(mayBe(slipped, word)).toBe(true)
    }),
    { numRuns: 1_000 },
  )
})

test('passes every pair at edit distance 1 through the byte prefilter', () => {
  const near = fc.array(fc.constantFrom(...'abé'), { minLength: 1, maxLength: 4 }).map((word) => word.join(''))
  fc.assert(
    fc.property(near, near, (a, b) => {
      if (isOneEditAway(a, b)) expect(mayBe(a, b)).toBe(true)
    }),
    { numRuns: 1_000 },
  )
})

test.each([
  ['config', 'cnofig', true],
  ['config', 'confg', true],
  ['config', 'context', false],
  ['config', 'configure', false],
  ['größe', 'grösse', true],
  ['abc中文def', 'abcdef', true],
  ['abc中文字def', 'abcdef', false],
])('compares the bytes of "%s" and "%s" in the prefilter: %s', (a, b, expected) => {
  expect(mayBe(a, b)).toBe(expected)
  expect(mayBe(b, a)).toBe(expected)
})
