import type { SourceSegment } from '#search/rank/corpus.ts'
import type { PathsOf } from '#search/rank/page-paths.ts'
import { ruleGlob } from '#search/rules/rule-glob.ts'

/** A path that a rule names, in one source or in all. */
export type NamedPath = { glob: string; sourceId?: string }

/** A path that no page has, with the most similar paths that some page has. */
export type MissingPath = { glob: string; nearest: string[] }

/** Folders read of a source. Larger ones have more folders than anybody would compare. */
const MOST_FOLDERS = 2_000
/** Folders at this depth or above. */
const DEPTH = 4
const NEAREST = 3

/** Finds the paths that match no page. Empty for a server without pages. */
export function findMissingPaths(
  parts: readonly SourceSegment[],
  paths: readonly NamedPath[],
  pathsOf: PathsOf,
): MissingPath[] {
  if (parts.every(({ segment }) => segment.pageCount === 0)) return []
  return paths.flatMap(({ glob, sourceId }) => {
    const searched = parts.filter((part) => sourceId === undefined || part.sourceId === sourceId)
    const isThere = searched.some(({ segment, type }) => {
      const matches = ruleGlob(glob, type)
      return pathsOf(segment).some((path) => matches(path))
    })
    return isThere ? [] : [{ glob, nearest: nearestFolders(searched, glob, pathsOf) }]
  })
}

function nearestFolders(parts: readonly SourceSegment[], glob: string, pathsOf: PathsOf): string[] {
  const folders = new Set<string>()
  for (const { segment } of parts) for (const path of pathsOf(segment)) addFolders(folders, path)
  const wanted = pairsOf(glob)
  return [...folders]
    .map((folder) => ({ folder, likeness: likeness(wanted, pairsOf(folder)) }))
    .filter(({ likeness: alike }) => alike > 0)
    .sort((a, b) => b.likeness - a.likeness || a.folder.length - b.folder.length)
    .slice(0, NEAREST)
    .map(({ folder }) => folder)
}

function addFolders(folders: Set<string>, path: string): void {
  const names = path.split('/', DEPTH + 1).slice(1)
  for (let depth = 1; depth <= names.length && folders.size < MOST_FOLDERS; depth++) {
    const isWhole = depth === names.length && names.length < DEPTH
    const folder = `/${names.slice(0, depth).join('/')}`
    if (folder !== '/') folders.add(isWhole ? folder : `${folder}/`)
  }
}

/** Pairs of neighbouring characters. */
function pairsOf(text: string): Set<string> {
  const plain = text.toLowerCase().replaceAll('*', '')
  return new Set(Array.from({ length: Math.max(0, plain.length - 1) }, (_, at) => plain.slice(at, at + 2)))
}

/** Dice coefficient of two sets. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0
  for (const pair of a) if (b.has(pair)) shared++
  return (2 * shared) / Math.max(1, a.size + b.size)
}
