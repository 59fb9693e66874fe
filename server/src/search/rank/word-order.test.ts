import { expect, test } from 'vitest'
import { samplePage } from '../../../test/support/lib/sample-pages.ts'
import { openSegment, type Segment } from '#search/segment/open-segment.ts'
import { SegmentBuilder } from '#search/segment/segment-builder.ts'
import { OPENING_WORDS } from '#search/segment/hashes.ts'
import { OpeningScorer } from './word-order.ts'
import { createRanker } from './rank.ts'

type Page = [path: string, texts: string[]]

function build(pages: readonly Page[]): Segment {
  const builder = new SegmentBuilder()
  for (const [path, texts] of pages) {
    const sections = texts.map((text, index) => ({ heading: `Part ${index}`, text }))
    const { page, markdown } = samplePage(path, path, sections)
    builder.add(page, markdown)
  }
  return openSegment(builder.finish())
}

const words = (count: number, prefix = 'filler') => Array.from({ length: count }, (_, at) => `${prefix}${at}`).join(' ')

const queryTerms = (...raws: string[]) => raws.map((raw) => ({ raw, terms: [], compound: false, weight: 1, count: 1 }))

/** Scores of all pages. */
function scores(segment: Segment, ...question: string[]): number[] {
  const scorer = new OpeningScorer().begin(queryTerms(...question))
  return Array.from({ length: segment.pageCount }, (_, page) => scorer.score(segment, page))
}

test('scores the share of the words of a question', () => {
  const segment = build([
    ['both', ['needle thread']],
    ['one', ['needle needle']],
    ['none', [words(50)]],
  ])
  expect(scores(segment, 'needle', 'thread')).toEqual([1, 0.5, 0])
})

test('reads the first hundred content words of a page only', () => {
  // Before the text, the title has one content word, and the heading "Part 0" two.
  const segment = build([
    ['last', [`${words(OPENING_WORDS - 4)} needle`]],
    ['beyond', [`${words(OPENING_WORDS - 3)} needle`]],
  ])
  const [last, beyond] = scores(segment, 'needle')
  expect(last).toBe(1)
  expect(beyond).toBe(0)
})

test('counts words as written, without stop words and without regard to case', () => {
  const segment = build([
    ['same', ['the Printer is here']],
    ['stem', ['the printing is here']],
  ])
  const [same, stem] = scores(segment, 'printer')
  expect(same).toBe(1)
  expect(stem).toBe(0)
})

test('forgets the words of the previous question', () => {
  const segment = build([['page', ['alpha beta']]])
  const scorer = new OpeningScorer().begin(queryTerms('alpha'))
  expect(scorer.score(segment, 0)).toBeGreaterThan(0)
  scorer.begin(queryTerms('gamma'))
  expect(scorer.score(segment, 0)).toBe(0)
})

test('scores at most 1, for any number of words', () => {
  const many = Array.from({ length: 300 }, (_, at) => `word${at}`)
  const segment = build([['page', [many.join(' ')]]])
  const [score] = scores(segment, ...many)
  expect(score).toBeGreaterThan(0)
  expect(score).toBeLessThanOrEqual(1)
})

test('prefers, among long pages, the one that has the words of the question first', () => {
  const question = 'rotate archived session keys safely'
  const about = `You can rotate archived session keys safely.`
  const other = [words(60, 'a'), words(60, 'b'), words(60, 'c')]
  const rank = (pages: readonly Page[]) => {
    const part = { segment: build(pages), sourceId: 's', type: 'website' as const }
    const { chunks } = createRanker()([part], { query: question }, 5)
    return chunks.map(({ part: { segment }, page, features }) => ({
      url: segment.url(page),
      opening: features.opening,
    }))
  }
  // The late page says it more often, which counts less than where it is said first.
  const long = rank([
    ['late', [...other, about, `${about} ${about}`]],
    ['early', [`${about} ${words(30, 'd')}`, ...other]],
  ])
  expect(long[0]?.url).toContain('early')
  expect(long[0]?.opening).toBeGreaterThan(long.find(({ url }) => url.includes('late'))?.opening ?? 1)
  // Three passages are no long page. Without long pages the beginning says nothing.
  const short = rank([
    ['late', [...other.slice(1), about]],
    ['early', [about, ...other.slice(1)]],
  ])
  expect(short.map(({ opening }) => opening)).toEqual(short.map(() => 0))
})
