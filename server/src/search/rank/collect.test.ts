import fc from 'fast-check'
import { markdownBlocks } from '#documents/model/markdown-blocks.ts'
import { describe, expect, test } from 'vitest'
import { createWordAnalyser } from '#search/analyse/word-analyser.ts'
import { openSegment } from '#search/segment/open-segment.ts'
import { SegmentBuilder } from '#search/segment/segment-builder.ts'
import { type SamplePage, someQuery, somePages } from '../../../test/support/lib/sample-pages.ts'
import { WEIGHTS } from '#search/weights.ts'
import { Accumulators } from './accumulators.ts'
import { analyseQuery } from './analyse-query.ts'
import { collect } from './collect.ts'
import { createImpactCache } from './impact-cache.ts'
import { createKnownCorpora, type KnownCorpus } from './corpus.ts'
import { createRanker } from './rank.ts'
import { resolveQuery, weighTerms } from './resolve-query.ts'

const english = createWordAnalyser('en')
const join = createKnownCorpora(WEIGHTS)
const impactsOf = createImpactCache(WEIGHTS)

function segmentOf(pages: readonly SamplePage[]) {
  const builder = new SegmentBuilder()
  for (const { page, markdown } of pages) builder.add(page, markdown)
  return { segment: openSegment(builder.finish()), sourceId: 'source', type: 'docs' as const }
}

function queryTermsOf({ corpus }: KnownCorpus, query: string) {
  const words = analyseQuery(query, [english])
  const { queryTerms } = resolveQuery(words, corpus.segments, (raw) => [english(raw)])
  return weighTerms(queryTerms, corpus.counters.pages, WEIGHTS.question)
}

function scores(known: KnownCorpus, query: string, depth: number) {
  const { corpus } = known
  const accumulators = new Accumulators()
  const pages = collect(corpus, queryTermsOf(known, query), accumulators, {
    weights: WEIGHTS,
    impactsOf: impactsOf(known),
    depth,
  })
  return pages.map((page) => ({
    page,
    best: accumulators.bestScores[page],
    score: accumulators.pageScores[page],
    titleHits: accumulators.titleHits[page],
  }))
}

describe('window pruning', () => {
  test('finds the same results in smaller windows, as used for very long pages', () => {
    fc.assert(
      fc.property(somePages(300), someQuery, fc.integer({ min: 1, max: 6 }), (pages, query, depth) => {
        const known = join([segmentOf(pages)])
        const narrow = join([segmentOf(pages)])
        for (const part of narrow.corpus.parts) part.windowBits = 2
        expect(scores(narrow, query, depth)).toEqual(scores(known, query, depth))
      }),
      { numRuns: 30 },
    )
  })

  test('skips windows if a rare word decides', () => {
    const pages = Array.from({ length: 2_000 }, (_, index): SamplePage => {
      const text = index === 5 ? 'common rare words' : 'common words'
      const chunks = [{ start: 0, end: text.length, headings: [], anchor: null, blocks: markdownBlocks(text) }]
      const page = { url: `https://docs.test/${index}`, title: index === 5 ? 'Rare' : 'Page', textHash: '0'.repeat(32) }
      return { page: { ...page, language: null, anchorTexts: [], chunks }, markdown: text }
    })
    const known = join([segmentOf(pages)])
    const { corpus } = known
    const accumulators = new Accumulators()
    const options = { weights: WEIGHTS, impactsOf: impactsOf(known), depth: 1 }
    const found = collect(corpus, queryTermsOf(known, 'common rare'), accumulators, options)
    expect(found).toEqual([5])
    const touched = accumulators.pageSums.filter((sum) => sum > 0).length
    expect(touched).toBeLessThan(300)
  })
})

test('finds the same candidates as an exhaustive search', () => {
  fc.assert(
    fc.property(somePages(400), someQuery, fc.integer({ min: 1, max: 6 }), (pages, query, depth) => {
      const known = join([segmentOf(pages)])
      const all = scores(known, query, pages.length)
      const bestOf = (value: (page: (typeof all)[number]) => number | undefined) =>
        all
          .filter((page) => (value(page) ?? 0) > 0)
          .toSorted((a, b) => (value(b) ?? 0) - (value(a) ?? 0) || a.page - b.page)
          .slice(0, depth)
      const expected = new Set([...bestOf(({ best }) => best), ...bestOf(({ score }) => score)])
      const found = scores(known, query, depth)
      expect(found).toEqual([...expected].toSorted((a, b) => a.page - b.page))
    }),
    { numRuns: 60 },
  )
})

describe('a ranking', () => {
  test('does not depend on the distribution of pages over segments', () => {
    const rank = createRanker()
    fc.assert(
      fc.property(
        somePages(80),
        someQuery,
        fc.array(fc.nat(2), { minLength: 80, maxLength: 80 }),
        (pages, query, place) => {
          const shape = (parts: ReturnType<typeof segmentOf>[]) =>
            rank(parts, { query }, 100).chunks.map(({ part, page, chunk, score }) => {
              const { url, chunk: shown } = part.segment.passage(page, chunk)
              return { url, start: shown.start, score }
            })
          const parts = [0, 1, 2].map((wanted) => segmentOf(pages.filter((_, index) => place[index] === wanted)))
          expect(shape(parts)).toEqual(shape([segmentOf(pages)]))
        },
      ),
      { numRuns: 60 },
    )
  })

  test('leaves no state for the next question', () => {
    fc.assert(
      fc.property(somePages(60), someQuery, someQuery, (pages, first, second) => {
        const parts = [segmentOf(pages)]
        const used = createRanker()
        used(parts, { query: first }, 100)
        expect(used(parts, { query: second }, 100).chunks).toEqual(createRanker()(parts, { query: second }, 100).chunks)
      }),
      { numRuns: 30 },
    )
  })

  test('returns nothing for an empty corpus', () => {
    const rank = createRanker()
    expect(rank([], { query: 'anything' }, 9).chunks).toEqual([])
    expect(rank([segmentOf([])], { query: 'anything' }, 9).chunks).toEqual([])
  })
})
