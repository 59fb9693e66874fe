import { expect, test } from 'vitest'
import { runBuildTask } from '#search/build-tasks.ts'
import { openSegment } from '#search/segment/open-segment.ts'
import { samplePage } from '../../../test/support/lib/sample-pages.ts'
import { feedbackSimilarity } from './fuse.ts'

const SUBJECTS = [
  'kernel thread scheduler memory',
  'butter flour sugar oven',
  'violin sonata tempo choir',
  'glacier valley summit ridge',
]

/** Pages with the subjects in rotation. */
const pages = Array.from({ length: 40 }, (_, index) =>
  samplePage(`p${index}`, `Page ${index}`, [{ heading: 'Overview', text: SUBJECTS[index % SUBJECTS.length] ?? '' }]),
)

function segmentOf(vectors: boolean) {
  const built = runBuildTask({ kind: 'build', pages })
  if (built === null) throw new TypeError('A build gives a segment.')
  return openSegment((vectors && runBuildTask({ kind: 'merge', segments: [built], keep: null })) || built)
}

const ranked = (segment: ReturnType<typeof segmentOf>, numbers: number[]) =>
  numbers.map((page, index) => ({ segment, page, score: 9 - index }))

test('rates pages on the subject of the best pages as similar, and others as different', () => {
  const alike = feedbackSimilarity(ranked(segmentOf(true), [0, 4, 8, 12, 16, 20, 21, 24, 26]))
  expect(alike[5]).toBeGreaterThan(0.9)
  expect(alike[6]).toBeLessThan(0.1)
  expect(alike[7]).toBeGreaterThan(0.9)
  expect(alike[8]).toBeLessThan(0.1)
})

test('returns 0 for pages without vectors', () => {
  expect(feedbackSimilarity(ranked(segmentOf(false), [0, 1, 2]))).toEqual([0, 0, 0])
  expect(feedbackSimilarity([])).toEqual([])
})
