import type { LibraryPage } from '../library-page.ts'

/** A part of a source: the pages below one folder. */
export type SourcePart = { path: string; pages: number; first: LibraryPage[] }

const FIRST = 3

/**
 * A source in parts, the largest first: its folders down to the level on which there are several, each with how many
 * pages it has and those that stand uppermost.
 */
export function outlineSource(pages: readonly LibraryPage[], most: number): SourcePart[] {
  const paths = pages.map((page) => ({ page, parts: partsOf(page) }))
  let depth = 1
  let groups = groupBy(paths, depth)
  while (groups.size === 1 && depth < 6) groups = groupBy(paths, ++depth)
  return [...groups]
    .map(([path, inside]) => ({
      path,
      pages: inside.length,
      first: inside
        .toSorted((a, b) => a.parts.length - b.parts.length || (a.page.url < b.page.url ? -1 : 1))
        .slice(0, FIRST)
        .map(({ page }) => page),
    }))
    .toSorted((a, b) => b.pages - a.pages)
    .slice(0, most)
}

type Placed = { page: LibraryPage; parts: string[] }

function groupBy(paths: readonly Placed[], depth: number): Map<string, Placed[]> {
  return Map.groupBy(paths, ({ parts }) => `/${parts.slice(0, depth).join('/')}`)
}

/** Parts of an API description differ in their query only: they are told apart by what they are. */
function partsOf({ url }: LibraryPage): string[] {
  const kind = /[?&]docent-([a-z]+)=/.exec(url)?.[1]
  const path = (url.replace(/^[a-z]+:\/\/[^/]*/i, '').split(/[?#]/, 1)[0] ?? '').split('/').filter(Boolean)
  return kind === undefined ? path : [...path, kind]
}
