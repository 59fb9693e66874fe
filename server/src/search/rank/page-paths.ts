import type { Segment } from '#search/segment/open-segment.ts'
import { pathOf } from './page-filter.ts'

/** Paths of a segment's pages. */
export type PathsOf = (segment: Segment) => readonly string[]

/**
 * Cached paths of a segment's pages, kept while the segment is in memory, of which they are a small part. Reading and
 * parsing every URL took most of the time of a question restricted to a path.
 */
export function createPagePaths(): PathsOf {
  const known = new WeakMap<Segment, string[]>()
  return (segment) => {
    let paths = known.get(segment)
    if (paths === undefined) {
      paths = Array.from({ length: segment.pageCount }, (_, page) => pathOf(segment.url(page)))
      known.set(segment, paths)
    }
    return paths
  }
}
