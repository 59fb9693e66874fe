import type { SourceType } from '@docent/contract/values/sources'
import { sourceKind } from '@docent/contract/values/source-kinds'
import { ruleGlob } from './active-rules.ts'

/** A page that a rule can name. */
export type NamedPage = {
  path: string
  type: SourceType
  title: () => string
  /** Its headings with their anchors, read only where a section is asked for. */
  sections: () => readonly { heading: string; anchor: string }[]
}

/** Words of a name, folded, and the globs of pages within which it is. `section`: the heading of a section. */
export type PlaceName = { words: readonly string[]; kind: 'pages' | 'section'; within: readonly string[] }

/** Globs of one name. More are no name. */
const MOST_PLACES = 12
/** Pages whose headings are read. */
const MOST_READ = 2_000
/** Segments of a repository's address before the path of a file: owner, name, `blob`, branch. */
const REPOSITORY_DEPTH = 4

const ACCENTS = /[\u0300-\u036f]/g
/** Words of titles and headings that names leave out. */
const PLAIN = new Set(['the', 'a', 'an', 'of', 'and', 'page', 'section', 'guide', 'guides', 'overview'])

/**
 * Globs of the pages with a name: the folders and files called so, at the least depth; else the pages with this title.
 * For a section, those with this heading. Words match in the singular and the plural.
 */
export function findPlaces(pages: Iterable<NamedPage>, { words, kind, within }: PlaceName): string[] {
  const key = wordsOf(words.join(' '))
  if (key === '') return []
  const byDepth = new Map<number, Set<string>>()
  const titled = new Set<string>()
  const sections = new Set<string>()
  let read = 0
  for (const page of pages) {
    if (within.length > 0 && !within.some((glob) => ruleGlob(glob, page.type)(page.path))) continue
    if (kind === 'section') {
      if (read++ >= MOST_READ) break
      for (const { heading, anchor } of page.sections())
        if (wordsOf(heading) === key) sections.add(`${page.path}#${anchor}`)
      continue
    }
    const found = folderNamed(page, key)
    if (found !== null) byDepth.set(found.depth, (byDepth.get(found.depth) ?? new Set()).add(found.glob))
    else if (wordsOf(page.title()) === key) titled.add(page.path)
  }
  const [least] = [...byDepth.keys()].toSorted((one, other) => one - other)
  const globs = kind === 'section' ? sections : least === undefined ? titled : (byDepth.get(least) ?? titled)
  return globs.size > MOST_PLACES ? [] : [...globs]
}

/** The first segment of the path with these words. */
function folderNamed({ path, type }: NamedPage, key: string): { depth: number; glob: string } | null {
  const all = path.split('/').filter(Boolean)
  const segments = sourceKind(type).isRepository ? all.slice(REPOSITORY_DEPTH) : all
  for (const [index, segment] of segments.entries()) {
    const isFile = index === segments.length - 1 && /\.[a-z]{1,5}$/i.test(segment)
    const name = isFile ? segment.replace(/\.[a-z]{1,5}$/i, '') : segment
    // `Design proposals` are at /design/proposals.
    if (wordsOf(name) !== key && wordsOf(`${segments[index - 1] ?? ''} ${name}`) !== key) continue
    const glob = `/${segments.slice(0, index + 1).join('/')}`
    return { depth: index, glob: isFile ? glob : `${glob}/*` }
  }
  return null
}

/** Words in the singular, without accents, separated by spaces. */
function wordsOf(text: string): string {
  const words =
    text
      .toLowerCase()
      .normalize('NFD')
      .replace(ACCENTS, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  const told = words.filter((word) => !PLAIN.has(word))
  return (told.length > 0 ? told : words).map(singular).join(' ')
}

const singular = (word: string): string => word.replace(/(?<=\w{3})s$/, '')
