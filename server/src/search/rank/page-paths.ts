import type { Segment } from '#search/segment/open-segment.ts'
import { pathOf } from './page-filter.ts'

/**
 * Gives the paths of a segment's pages, and keeps them for as long as the segment is in memory, of which they are a small
 * part: to read and parse the address of every page took most of the time of a question that is asked below a path.
 */
export function createPagePaths(): (segment: Segment) => readonly string[] {
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
