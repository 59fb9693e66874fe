import { sourceKind } from '@docent/contract/values/source-kinds'
import { addressPath } from '#lib/addresses/page-address.ts'
import type { LibraryPage } from '../library-page.ts'

const WORTH: readonly [RegExp, number][] = [
  [/quick[\s_-]?start/i, 10],
  [/get(?:ting)?[\s_-]?started/i, 9],
  [/first[\s_-]steps|hello[\s_,-]*world/i, 7],
  [/install(?:ation|ing)?\b|set[\s_-]?up/i, 6],
  // `TLS_README` is one part of many.
  [/^readme/i, 8],
  [/basic[\s_-](?:configuration|setup|usage)/i, 9],
  [/\btutorial introduction\b|\bintroductory tutorial\b|\bbeginner/i, 7],
  [/tutorial/i, 3],
  [/introduction|usage/i, 3],
]
/** Poor starting points: parts of a product, old versions, blog posts. */
const ASIDE =
  /\/(?:blog|news|reference|api|examples?|recipes|migrat\w*|upgrade\w*|contributing|internals?|legacy|[0-3]x)\b|uninstall|editor|troubleshoot/i
const DEPTH = 0.8

/** Score of a page as a starting guide, from its title and URL alone. */
export function worthOfGuide({ title, url, type }: Pick<LibraryPage, 'title' | 'url' | 'type'>): number {
  const path = addressPath(url)
  const parts = path.split('/').filter(Boolean)
  const file = parts.at(-1) ?? ''
  const best = Math.max(
    0,
    ...WORTH.map(([words, worth]) =>
      words.test(title) ? worth : words.test(file) ? worth - 1 : words.test(path) ? worth - 4 : 0,
    ),
  )
  // Paths of a repository begin with its owner and name, mostly followed by a tree marker and a branch.
  const above = url.includes('?') ? 2 : 4
  const depth = sourceKind(type).isRepository ? parts.length - above : parts.length
  return best - DEPTH * Math.max(0, depth) - (ASIDE.test(path) ? 5 : 0)
}
