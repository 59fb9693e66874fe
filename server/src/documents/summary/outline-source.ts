import { addressPath } from '#lib/addresses/page-address.ts'
import { createYielder, type Yielder } from '#lib/limits/yield-to-event-loop.ts'
import type { LibraryPage } from '../library-page.ts'

/** A part of a source: the pages below one folder. */
export type SourcePart = { path: string; pages: number; first: LibraryPage[] }

const FIRST = 3

/** The parts of a source, most pages first: the folders of the first level that has several. */
export async function outlineSource(pages: readonly LibraryPage[], most: number): Promise<SourcePart[]> {
  const turns = createYielder()
  const paths: Placed[] = []
  for (const page of pages) {
    paths.push({ page, parts: partsOf(page) })
    if (turns.due()) await turns.turn()
  }
  let depth = 1
  let groups = await groupBy(paths, depth, turns)
  while (groups.size === 1 && depth < 6) groups = await groupBy(paths, ++depth, turns)
  const parts: SourcePart[] = []
  for (const [path, inside] of groups) {
    parts.push({ path, pages: inside.length, first: uppermost(inside) })
    if (turns.due()) await turns.turn()
  }
  return parts.toSorted((a, b) => importance(b) - importance(a)).slice(0, most)
}

/** The part with the home page or the top-level README comes first. */
function importance({ path, pages, first: [first] }: SourcePart): number {
  const url = first?.url ?? ''
  const file = url.slice(url.lastIndexOf('/') + 1)
  const isRoot = path === '/' || /\/(?:blob|src)\/[^/]+$/.test(path)
  const isTop = /\?docent-file=readme\b/i.test(file) || (isRoot && /^(?:$|readme\b|index\b)/i.test(file))
  return isTop ? Number.POSITIVE_INFINITY : pages
}

/** The topmost pages, selected without a full sort. */
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

/** Depth of a page; index pages rank above others in their folder. */
function rank({ parts }: Placed): number {
  return parts.length - (/^(?:readme|index|overview|introduction)\b/i.test(parts.at(-1) ?? '') ? 1.5 : 0)
}

type Placed = { page: LibraryPage; parts: string[] }

/** Groups pages by their first folders. A page that is not a folder, such as a README, belongs to its parent. */
async function groupBy(paths: readonly Placed[], depth: number, turns: Yielder): Promise<Map<string, Placed[]>> {
  const folders = new Set<string>()
  for (const { parts } of paths) {
    if (parts.length > depth) folders.add(parts.slice(0, depth).join('/'))
    if (turns.due()) await turns.turn()
  }
  const groups = new Map<string, Placed[]>()
  for (const placed of paths) {
    const { parts } = placed
    const own = parts.slice(0, depth).join('/')
    const path = `/${parts.length > depth || folders.has(own) ? own : parts.slice(0, depth - 1).join('/')}`
    const group = groups.get(path)
    if (group) group.push(placed)
    else groups.set(path, [placed])
    if (turns.due()) await turns.turn()
  }
  return groups
}

/** Adds the kind to the path, because parts of an API description differ only in their query. */
function partsOf({ url }: LibraryPage): string[] {
  const kind = /[?&]docent-([a-z]+)=/.exec(url)?.[1]
  const parts = addressPath(url).split('/').slice(1)
  if (parts.at(-1) === '') parts.pop()
  return kind === undefined || kind === 'file' ? parts : [...parts, kind]
}
