import { expect, test } from 'vitest'
import { openSegment } from '#search/segment/open-segment.ts'
import { SegmentBuilder } from '#search/segment/segment-builder.ts'
import { samplePage, type SamplePage } from '../../../test/support/lib/sample-pages.ts'
import { createRanker } from './rank.ts'

const page = (path: string, title: string, text: string) => samplePage(path, title, [{ heading: 'Overview', text }])

function open(...pages: SamplePage[]) {
  const builder = new SegmentBuilder()
  for (const each of pages) builder.add(each.page, each.markdown)
  return openSegment(builder.finish())
}

/** Paths of the pages of several sources, best first. */
function rank(query: string, sources: Record<string, SamplePage[]>, others?: ReadonlySet<string>): string[] {
  const given = Object.entries(sources).map(([sourceId, pages]) => ({
    segment: open(...pages),
    sourceId,
    type: 'docs' as const,
  }))
  const { chunks } = createRanker()(given, { query, ...(others && { others }) }, 100)
  return chunks.map(({ part, page: at }) => new URL(part.segment.url(at)).pathname.slice(1))
}

const LONGER =
  'The proxy for requests of the crawler, and many further words about what it is good for, who sets it, and where it is read from.'
const GUIDE = page('guide/proxy', 'Proxy for requests', LONGER)

test.each(['changelog', 'blog/2024/proxy', 'news/proxy', 'announce/release-2.0'])(
  'ranks a guide above /%s, unless the question asks for news',
  (path) => {
    const news = page(path, 'Proxy for requests', 'The proxy for requests of the crawler.')
    expect(rank('proxy for crawler requests', { docs: [news, GUIDE] })).toEqual(['guide/proxy', path])
    expect(rank('latest proxy for crawler requests', { docs: [news, GUIDE] })[0]).toBe(path)
  },
)

test('ranks pages of the named product above better ones of another', () => {
  const own = page('own', 'Proxy for requests', LONGER)
  const other = page('other', 'Proxy for requests', 'The proxy for requests of the crawler.')
  const sources = { a: [own], b: [other] }
  expect(rank('proxy for crawler requests', sources)[0]).toBe('other')
  expect(rank('proxy for crawler requests', sources, new Set(['b']))[0]).toBe('own')
})
