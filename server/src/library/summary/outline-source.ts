import { addressPath } from '#lib/address-path.ts'
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
      first: uppermost(inside),
    }))
    .toSorted((a, b) => importance(b) - importance(a))
    .slice(0, most)
}

/** A part with a README of the whole stands first. */
function importance({ path, pages, first: [first] }: SourcePart): number {
  const url = first?.url ?? ''
  const isTop =
    /\?docent-file=readme\b[^/]*$/i.test(url) || (/\/readme\b[^/]*$/i.test(url) && /\/(?:blob|src)\/[^/]+$/.test(path))
  return isTop ? Number.POSITIVE_INFINITY : pages
}

/** The pages that stand uppermost, found without sorting all. */
function uppermost(inside: readonly Placed[]): LibraryPage[] {
  const first: { page: LibraryPage; place: number }[] = []
  for (const placed of inside) {
    const place = rank(placed)
    const last = first[FIRST - 1]
    if (last && (place > last.place || (place === last.place && placed.page.url > last.page.url))) continue
    first.push({ page: placed.page, place })
    first.sort((a, b) => a.place - b.place || (a.page.url < b.page.url ? -1 : 1))
    first.splice(FIRST)
  }
  return first.map(({ page }) => page)
}

/** Uppermost first, and of a folder what tells of it. */
function rank({ parts }: Placed): number {
  return parts.length - (/^(?:readme|index|overview|introduction)\b/i.test(parts.at(-1) ?? '') ? 1.5 : 0)
}

type Placed = { page: LibraryPage; parts: string[] }

/** By the first folders; a page that is no folder itself, as a README, is in the one that it stands in. */
function groupBy(paths: readonly Placed[], depth: number): Map<string, Placed[]> {
  const folders = new Set(
    paths.filter(({ parts }) => parts.length > depth).map(({ parts }) => parts.slice(0, depth).join('/')),
  )
  return Map.groupBy(paths, ({ parts }) => {
    const own = parts.slice(0, depth).join('/')
    return `/${parts.length > depth || folders.has(own) ? own : parts.slice(0, depth - 1).join('/')}`
  })
}

/** Parts of an API description differ in their query only: they are told apart by what they are. */
function partsOf({ url }: LibraryPage): string[] {
  const kind = /[?&]docent-([a-z]+)=/.exec(url)?.[1]
  const parts = addressPath(url).split('/').slice(1)
  if (parts.at(-1) === '') parts.pop()
  return kind === undefined || kind === 'file' ? parts : [...parts, kind]
}
