import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readReferences, writeReferences } from './cited-pages.ts'
import { readArguments, shortenArguments } from './write-calls.ts'

test('reads references to pages as they were written', () => {
  const score = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(), fc.nat(), score)), (references) => {
      expect(readReferences(writeReferences(references))).toEqual(references)
    }),
  )
})

test('leaves the query out of stored arguments, and puts it back where it was', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('query', '$&', '\u0001'))
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text), { maxLength: 4 }), text, (others, query) => {
      const row = { arguments: JSON.stringify({ ...Object.fromEntries(others), query }), query }
      const stored = { ...row, arguments: shortenArguments(row) }
      expect(stored.arguments.length).toBeLessThan(row.arguments.length)
      expect(readArguments(stored)).toBe(row.arguments)
    }),
  )
  expect(readArguments({ arguments: '{"url":"a"}', query: null })).toBe('{"url":"a"}')
})
