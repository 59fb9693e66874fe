import { expect, test } from 'vitest'
import { elementAt } from '#lib/element-at.ts'
import { createWordAnalyser } from '#search/analyse/word-analyser.ts'
import { runBuildTask } from '#search/build-tasks.ts'
import { openSegment } from '#search/segment/open-segment.ts'
import { samplePage, type SamplePage } from '#search/testing/pages.ts'
import { findMentions, pageName } from './find-mentions.ts'

const page = (path: string, title: string, text: string) => samplePage(path, title, [{ heading: 'Overview', text }])
const others = (count: number, text: string) =>
  Array.from({ length: count }, (_, index) => page(`other-${index}`, `Other ${index}`, text))

/** Paths of the pages that each page mentions. */
function mentionsOf(pages: readonly SamplePage[]) {
  const built = runBuildTask({ kind: 'build', pages })
  if (built === null) throw new TypeError('A build gives a segment.')
  const segment = openSegment(built)
  const { offsets, named, rarity } = findMentions(segment)
  const path = (number: number) => new URL(segment.url(number)).pathname.slice(1)
  const lists = [...Array(segment.pageCount).keys()].flatMap((number): [string, string[]][] => {
    const list = [...named.subarray(offsets[number], offsets[number + 1])].map(path)
    return list.length === 0 ? [] : [[path(number), list]]
  })
  return { lists: Object.fromEntries(lists), rarity: [...rarity] }
}

test("lists the pages whose names occur in a page's text, except itself", () => {
  const { lists, rarity } = mentionsOf([
    page('sub', 're.sub', 'Replace what `re.sub` matches.'),
    page('match-all', 'matchAll', 'Every match of the text.'),
    page('guide', 'Cleaning up', 'Call re.sub for each line, and matchAll to look at them.'),
    page('other', 'Words', 'We match all of them, in doMatchAll and subtle ways.'),
    ...others(30, 'nothing'),
  ])
  expect(lists).toEqual({ guide: ['sub', 'match-all'] })
  expect(rarity[1]).toBeGreaterThan(elementAt(rarity, 2))
  expect(rarity[2]).toBe(0)
})

test.each([
  [3, true],
  [4, false],
])('treats a name on %i of 40 pages as a mention: %s', (count, isName) => {
  const { lists } = mentionsOf([
    page('sub', 're.sub', 'It replaces.'),
    ...others(count, 'Call re.sub here.'),
    ...others(39 - count, 'nothing').map(({ page: { url, ...rest }, markdown }) => ({
      page: { ...rest, url: `${url}-more` },
      markdown,
    })),
  ])
  expect(Object.keys(lists)).toHaveLength(isName ? count : 0)
})

test('keeps the first hundred pages mentioned by a page', () => {
  const names = Array.from({ length: 101 }, (_, index) => `runStep${index}`)
  const { lists } = mentionsOf([
    ...names.map((name, index) => page(`step-${index}`, name, 'It runs.')),
    page('list', 'All of them', names.join(', ')),
  ])
  expect(lists['list']).toHaveLength(100)
})

const english = createWordAnalyser('en')

test.each([
  ['re.findall', 'findal'],
  ['`asyncio.run_until_complete()`', 'rununtilcomplet'],
  ['useEffect', 'useeffect'],
  ['class: BrowserContext', 'browsercontext'],
  ['re.sub', 'sub'],
  ['os.rm', null],
  ['count', null],
  ['Working with routes', null],
  ['From useState to useReducer', null],
  ['', null],
])('derives from the page title %j the name %j', (title, expected) => {
  expect(pageName(title, english)).toBe(expected)
})
