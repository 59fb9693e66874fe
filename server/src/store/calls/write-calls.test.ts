import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type LoggedCitation, readCitations, writeCitations } from './write-calls.ts'

const citation = (url: string, values: Partial<LoggedCitation> = {}): LoggedCitation => ({
  sourceId: 'src_a',
  url,
  title: 'A page',
  rank: 1,
  score: 0.25,
  ...values,
})

test('reads citations as they were written', () => {
  const url = fc.oneof(
    fc.webUrl(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('https://a.test/b/c', 'https://a.test/b/', 'https://a.test'),
  )
  const one = fc.record({
    sourceId: fc.constantFrom('src_a', 'src_b', 'src_c'),
    url,
    title: fc.string({ unit: 'binary' }),
    rank: fc.nat(),
    score: fc.double({ noNaN: true, noDefaultInfinity: true }).map((score) => score + 0),
  })
  fc.assert(
    fc.property(fc.array(one), (citations) => {
      expect(readCitations(writeCitations(citations))).toEqual(citations)
    }),
  )
})

test('writes what citations share once', () => {
  const pages = ['guide/a.html', 'guide/b.html', 'api/c.html'].map((page) =>
    citation(`https://docs.example.com/${page}`),
  )
  const stored = writeCitations(pages) ?? ''
  expect(stored.split('docs.example.com')).toHaveLength(2)
  expect(stored.split('src_a')).toHaveLength(2)
})

test('reads the citations of earlier versions', () => {
  const stored = '[["src_a","https://a.test/1","One",1,0.5],["src_b","https://b.test/2","Two",2,0.25]]'
  expect(readCitations(stored)).toEqual([
    citation('https://a.test/1', { title: 'One', score: 0.5 }),
    citation('https://b.test/2', { sourceId: 'src_b', title: 'Two', rank: 2 }),
  ])
  expect(readCitations(null)).toEqual([])
})
