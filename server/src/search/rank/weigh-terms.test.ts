import { expect, test } from 'vitest'
import { type QueryTerm, weighTerms } from './resolve-query.ts'

const queryTerm = (pages: number, count = 1): QueryTerm => ({
  raw: 'word',
  terms: [{ term: 'word', stats: { pages, chunks: pages, fields: [] }, entries: [] }],
  weight: 1,
  count,
  compound: false,
})

test('gives repeated words more weight and the same cover', () => {
  const [once, twice] = weighTerms([queryTerm(5), queryTerm(5, 2)], 100, { repeat: 0.5, rarity: 1, language: 1 })
  expect(once?.weight).toBe(1)
  expect(twice?.weight).toBeCloseTo(Math.SQRT2)
  expect(twice?.cover).toBe(once?.cover)
})

test('gives rare words more cover, and unknown words the most', () => {
  const unknown = { ...queryTerm(0), terms: [] }
  const covers = weighTerms([queryTerm(90), queryTerm(5), unknown], 100, { repeat: 1, rarity: 1, language: 1 }).map(
    ({ cover }) => cover,
  )
  expect(covers).toEqual(covers.toSorted((a, b) => a - b))
  expect(new Set(covers).size).toBe(3)
})

test('gives the name of a programming language less weight in a question of three words', () => {
  const [sort, list, python] = [queryTerm(5), queryTerm(5), { ...queryTerm(5), raw: 'Python' }]
  const weigh = (queryTerms: QueryTerm[]) =>
    weighTerms(queryTerms, 100, { repeat: 1, rarity: 1, language: 0.5 }).map(({ weight }) => weight)
  expect(weigh([sort, list, python])).toEqual([1, 1, 0.5])
  expect(weigh([sort, python])).toEqual([1, 1])
})

test('leaves the cover of a word unchanged by a synonym on many pages', () => {
  const [word, synonym] = [queryTerm(5), queryTerm(90)]
  const both = {
    ...word,
    terms: [...word.terms, ...synonym.terms.map((term) => ({ ...term, isSynonym: true as const }))],
  }
  const [alone, together] = weighTerms([word, both], 100, { repeat: 1, rarity: 1, language: 1 })
  expect(together?.cover).toBe(alone?.cover)
})
