import { expect, test } from 'vitest'
import { createCatalogues } from '#search/catalogue/catalogue.ts'
import { openSegment } from '#search/segment/open-segment.ts'
import { SegmentBuilder } from '#search/segment/segment-builder.ts'
import { samplePage } from '../../../test/support/lib/sample-pages.ts'
import { createPagePaths, mayHaveType, pageMasks } from './page-filter.ts'

function segmentOf(...urls: string[]) {
  const builder = new SegmentBuilder()
  for (const url of urls) {
    const { page, markdown } = samplePage('page', 'Page', [{ heading: 'Part', text: 'Some words.' }])
    builder.add({ ...page, url }, markdown)
  }
  return openSegment(builder.finish())
}

test("reads the paths of a segment's pages once", () => {
  const segment = segmentOf('https://docs.test/guide/a', 'https://docs.test/api/b')
  const pathsOf = createPagePaths()
  expect(pathsOf(segment)).toEqual(['/guide/a', '/api/b'])
  expect(pathsOf(segment)).toBe(pathsOf(segment))
  expect(pathsOf({ ...segment, pageCount: 1 })).toEqual(['/guide/a'])
})

test.each([
  ['the PDFs of an upload', ['upload://manuals/a.md', 'upload://manuals/b.PDF'], 'pdf', [0, 1]],
  ['no page of a site as a PDF', ['https://docs.test/b.pdf'], 'pdf', null],
  ['no page of an upload as a repository', ['upload://manuals/a.md'], 'repo', null],
  ['all pages of the source type', ['upload://manuals/a.md', 'upload://manuals/b.pdf'], 'docs', undefined],
] as const)('finds %s', async (_, urls, type, expected) => {
  const part = { segment: segmentOf(...urls), sourceId: 'source', type: 'docs' as const }
  expect(mayHaveType(part, type)).toBe(expected !== null)
  if (expected === null) return
  const masks = await pageMasks({ catalogueOf: createCatalogues(), pathsOf: createPagePaths() }, [part], { type })
  expect(masks?.get(part.segment)).toEqual(expected && Uint8Array.from(expected))
})
