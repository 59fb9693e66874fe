import { expect, test } from 'vitest'
import { MOST_TERMS, rarestTerms, type QueryTerm } from './resolve-query.ts'

const queryTerm = (raw: string, ...pages: number[]): QueryTerm => ({
  raw,
  terms: pages.map((count) => ({ term: raw, stats: { pages: count, chunks: count, fields: [] }, entries: [] })),
  weight: 1,
  count: 1,
  compound: false,
})
const some = (count: number) => Array.from({ length: count }, (_, at) => queryTerm(`w${at}`, 10 + at))
const names = (queryTerms: readonly QueryTerm[]) => queryTerms.map(({ raw }) => raw)

test('keeps all words of a question up to the limit', () => {
  const queryTerms = some(MOST_TERMS)
  expect(rarestTerms(queryTerms)).toEqual(queryTerms)
})

test('drops the most frequent words of a long question and keeps the order of the others', () => {
  const queryTerms = [queryTerm('most', 900), ...some(MOST_TERMS), queryTerm('rare', 1)]
  expect(names(rarestTerms(queryTerms))).toEqual([...names(some(MOST_TERMS - 1)), 'rare'])
})

test('counts a word by its most frequent term, and an unknown word as the rarest', () => {
  const queryTerms = [queryTerm('unknown'), ...some(MOST_TERMS - 1), queryTerm('forms', 1, 900)]
  expect(names(rarestTerms(queryTerms))).toEqual(['unknown', ...names(some(MOST_TERMS - 1))])
})
