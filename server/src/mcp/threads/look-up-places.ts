import { hasVersion, versionsOfPage } from '#search/catalogue/page-version.ts'
import { ruleGlob, splitGlob } from '#search/rules/active-rules.ts'
import { findPlaces, type NamedPage, type PlaceName } from '#search/rules/find-places.ts'
import type { SourceSegment } from '#search/rank/corpus.ts'
import type { PathsOf } from '#search/rank/page-filter.ts'

/** Asks for the pages of a glob, for those of a version, or for those with a name, of one source or of all. */
export type PlaceQuestion = ({ glob: string } | { version: string } | PlaceName) & { sourceId?: string }

/** The globs of the asked pages. Without any, the names of the folders that are most similar. */
export type PlaceAnswer = { globs: string[]; nearest: string[] }

/** Folders read of a source. Larger ones have more folders than anybody would compare. */
const MOST_FOLDERS = 2_000
/** Folders at this depth or above. */
const DEPTH = 4
const NEAREST = 3

/** Looks up the pages that a sentence names. Null for a server without pages. */
export function lookUpPlaces(
  parts: readonly SourceSegment[],
  questions: readonly PlaceQuestion[],
  pathsOf: PathsOf,
): PlaceAnswer[] | null {
  if (parts.every(({ segment }) => segment.pageCount === 0)) return null
  return questions.map((question) => {
    const { sourceId } = question
    const searched = parts.filter((part) => sourceId === undefined || part.sourceId === sourceId)
    const pages = () => pagesOf(searched, pathsOf)
    if ('version' in question) {
      const isThere = pages().some((page) => hasVersion(page.versions(), question.version))
      return { globs: isThere ? [question.version] : [], nearest: [] }
    }
    if (!('glob' in question))
      return answerOf(findPlaces(pages(), question), question.words.join(' '), { searched, pathsOf })
    const [, anchor] = splitGlob(question.glob)
    const isThere = pages().some((page) => {
      if (!ruleGlob(question.glob, page.type)(page.path)) return false
      return anchor === null || page.sections().some((section) => section.anchor.toLowerCase() === anchor.toLowerCase())
    })
    return answerOf(isThere ? [question.glob] : [], question.glob, { searched, pathsOf })
  })
}

type Searched = { searched: readonly SourceSegment[]; pathsOf: PathsOf }

const answerOf = (globs: string[], text: string, { searched, pathsOf }: Searched): PlaceAnswer => ({
  globs,
  nearest: globs.length > 0 ? [] : nearestFolders(searched, text, pathsOf),
})

function* pagesOf(
  parts: readonly SourceSegment[],
  pathsOf: PathsOf,
): Generator<NamedPage & { versions: () => (string | null)[] }> {
  for (const { segment, type } of parts)
    for (const [page, path] of pathsOf(segment).entries()) {
      yield {
        path,
        type,
        versions: () => versionsOfPage(segment, page),
        title: () => segment.head(page).title,
        sections: () => sectionsOf(segment, page),
      }
    }
}

function sectionsOf(segment: SourceSegment['segment'], page: number): { heading: string; anchor: string }[] {
  const sections = []
  for (let chunk = segment.pageChunks[page] ?? 0; chunk < (segment.pageChunks[page + 1] ?? 0); chunk++) {
    const { headings, anchor } = segment.place(page, chunk)
    const heading = headings.at(-1)
    if (heading !== undefined && anchor !== null) sections.push({ heading, anchor })
  }
  return sections
}

/** The folders whose names are most similar to a text. */
function nearestFolders(parts: readonly SourceSegment[], text: string, pathsOf: PathsOf): string[] {
  const folders = new Set<string>()
  for (const { segment } of parts) for (const path of pathsOf(segment)) addFolders(folders, path)
  const wanted = pairsOf(text)
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
