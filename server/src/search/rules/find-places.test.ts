import { expect, test } from 'vitest'
import type { SourceType } from '@docent/contract/values/sources'
import { findPlaces, type PlaceName } from './find-places.ts'

type Given = { path: string; title?: string; type?: SourceType; headings?: string[] }

const PAGES: Given[] = [
  { path: '/guides/install', title: 'Set up the press' },
  { path: '/guides/ink-tanks', title: 'Ink', headings: ['Sizes and limits', 'Refilling'] },
  { path: '/legacy/v1/install', title: 'Installation' },
  { path: '/maintenance', title: 'The rollers', headings: ['Refilling'] },
  { path: '/notes/größen', title: 'Größen' },
  { path: '/acme/press/blob/main/docs/install.md', title: 'install.md', type: 'repo' },
]

const find = (name: Partial<PlaceName>, pages: readonly Given[] = PAGES) =>
  findPlaces(
    pages.map(({ path, title = '', type = 'docs', headings = [] }) => ({
      path,
      type,
      title: () => title,
      sections: () => headings.map((heading) => ({ heading, anchor: heading.toLowerCase().replaceAll(' ', '-') })),
    })),
    { words: [], kind: 'pages', within: [], ...name },
  )

test.each<[what: string, name: Partial<PlaceName>, globs: string[]]>([
  ['a folder by its name', { words: ['guides'] }, ['/guides/*']],
  ['a folder in the singular', { words: ['guide'] }, ['/guides/*']],
  ['a page by words with a hyphen between them', { words: ['ink', 'tank'] }, ['/guides/ink-tanks/*']],
  [
    'the nearest page to the root, also the file of a repository',
    { words: ['install'] },
    ['/guides/install/*', '/docs/install.md'],
  ],
  ['a page within others', { words: ['install'], within: ['/legacy/*'] }, ['/legacy/v1/install/*']],
  ['a page by its title without an article', { words: ['rollers'] }, ['/maintenance']],
  ['a page without its accents', { words: ['großen'] }, ['/notes/größen/*']],
  [
    'a heading on several pages',
    { words: ['refilling'], kind: 'section' },
    ['/guides/ink-tanks#refilling', '/maintenance#refilling'],
  ],
  [
    'a heading with a conjunction',
    { words: ['sizes', 'and', 'limits'], kind: 'section' },
    ['/guides/ink-tanks#sizes-and-limits'],
  ],
  [
    'a heading within pages',
    { words: ['refilling'], kind: 'section', within: ['/maintenance'] },
    ['/maintenance#refilling'],
  ],
  ['nothing for a heading that other pages have', { words: ['sizes'], kind: 'section', within: ['/maintenance'] }, []],
  ['nothing for a part of a name', { words: ['ink'], within: ['/legacy/*'] }, []],
  ['nothing without words', { words: [] }, []],
])('finds %s', (_, name, globs) => {
  expect(find(name)).toEqual(globs)
})

test('takes a name of twelve places, and none of thirteen', () => {
  const named = (count: number) => Array.from({ length: count }, (_, n) => ({ path: `/part-${n}/notes` }))
  expect(find({ words: ['notes'] }, named(12))).toHaveLength(12)
  expect(find({ words: ['notes'] }, named(13))).toEqual([])
})

test('reads the headings of 2,000 pages', () => {
  const pages = Array.from({ length: 2_001 }, (_, n) => ({ path: `/${n}`, headings: n >= 1_999 ? ['Limits'] : [] }))
  expect(find({ words: ['limits'], kind: 'section' }, pages)).toEqual(['/1999#limits'])
})
