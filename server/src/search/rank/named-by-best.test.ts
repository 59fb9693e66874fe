import { expect, test } from 'vitest'
import { runBuildTask } from '#search/build-tasks.ts'
import { openSegment } from '#search/segment/open-segment.ts'
import { samplePage } from '#search/testing/pages.ts'
import { namedByBest } from './named-by-best.ts'
import { createRanker } from './rank.ts'

const page = (path: string, title: string, text: string) => samplePage(path, title, [{ heading: 'Overview', text }])

const pages = [
  page('guide', 'Cleaning up lines', 'To remove duplicate blanks from a line of text, call re.sub with an empty one.'),
  page('blank', 'textwrap.indentBlank', 'Duplicate every blank of the text at the beginning of a line.'),
  page('sub', 're.subLines', 'Replaces what the pattern matches in a text by another.'),
  ...Array.from({ length: 30 }, (_, index) =>
    page(`other-${index}`, `Other ${index}`, `Nothing about it in ${index} lines.`),
  ),
]

function segmentOf(mentions: boolean) {
  const given = pages.map(({ page: about, markdown }) => ({
    page: about,
    markdown: markdown.replace('re.sub ', 're.subLines '),
  }))
  const built = runBuildTask({ kind: 'build', pages: given })
  if (built === null) throw new TypeError('A build gives a segment.')
  return openSegment((mentions && runBuildTask({ kind: 'merge', segments: [built], keep: null })) || built)
}

test('counts mentions by the best pages, less from lower ranks', () => {
  const segment = segmentOf(true)
  const at = (numbers: number[]) => namedByBest(numbers.map((number) => ({ segment, page: number })))
  expect(at([0, 1, 2, 3])).toEqual([0, 0, 1, 0])
  expect(at([2, 1, 3, 4, 5, 6, 7, 8, 9, 0])[0]).toBe(1)
  expect(at([2, 1, 3, 4, 5, 6, 7, 8, 9, 10, 0])).toEqual(new Array(11).fill(0))
})

test('returns 0 in a segment without mentions', () => {
  const segment = segmentOf(false)
  expect(namedByBest([0, 1, 2].map((number) => ({ segment, page: number })))).toEqual([0, 0, 0])
  expect(namedByBest([])).toEqual([])
})

test('finds a reference by the words of the guide that mentions it', () => {
  const parts = [{ segment: segmentOf(true), sourceId: 'source', type: 'docs' as const }]
  const { chunks } = createRanker()(parts, { query: 'remove duplicate blanks pattern from a line of text' }, 10)
  const named = chunks.find(({ part, page: number }) => part.segment.url(number).endsWith('/sub'))
  expect(named?.features.named).toBe(1)
})
