import { expect, test } from 'vitest'
import { openSegment } from '#search/segment/open-segment.ts'
import { SegmentBuilder } from '#search/segment/segment-builder.ts'
import { samplePage } from '#search/testing/pages.ts'
import { createPagePaths } from './page-filter.ts'

test("reads the paths of a segment's pages once", () => {
  const builder = new SegmentBuilder()
  for (const path of ['guide/a', 'api/b']) {
    const { page, markdown } = samplePage(path, 'Page', [{ heading: 'Part', text: 'Some words.' }])
    builder.add(page, markdown)
  }
  const segment = openSegment(builder.finish())
  const pathsOf = createPagePaths()
  expect(pathsOf(segment)).toEqual(['/guide/a', '/api/b'])
  expect(pathsOf(segment)).toBe(pathsOf(segment))
  expect(pathsOf({ ...segment, pageCount: 1 })).toEqual(['/guide/a'])
})
