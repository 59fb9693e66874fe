import { expect, test } from 'vitest'
import { runBuildTask } from '#search/build-tasks.ts'
import { openSegment } from '#search/segment/open-segment.ts'
import { SegmentBuilder } from '#search/segment/segment-builder.ts'
import { samplePage, type SamplePage } from '../../../test/support/lib/sample-pages.ts'
import { WEIGHTS } from '#search/weights.ts'
import { createRanker } from './rank.ts'

const NAMES =
  'amber birch cedar dogwood ebony fir ginkgo hazel ivy juniper kapok larch maple nutmeg oak pine rowan'.split(' ')

/** A page with a section of its own and one that is the same on all pages, except for the name. */
const described = (name: string, text = states(name)) =>
  samplePage(name, `${name} lamp`, [
    { heading: 'Overview', text: `Controls how bright the ${name} shines.` },
    { heading: 'Hover and focus', text },
  ])
const states = (name: string) =>
  `Put \`hover:${name}-${name.length}\` before the class to apply ${name} only while the pointer is over the element.`

const GUIDE = samplePage('guide', 'States', [
  { heading: 'Overview', text: 'Styles can depend on the state of a control, on what is around it and on the screen.' },
  {
    heading: 'Pointer',
    text: 'A class with the right prefix applies on hover or focus, while the pointer is over the element.',
  },
])

function build(pages: readonly SamplePage[]): Uint8Array {
  const builder = new SegmentBuilder()
  for (const { page, markdown } of pages) builder.add(page, markdown)
  return builder.finish()
}

function rank(query: string, pages: readonly SamplePage[]): string[] {
  const segment = openSegment(build(pages))
  const { chunks } = createRanker()([{ segment, sourceId: 'source', type: 'docs' }], { query }, 100)
  return chunks.map(({ page }) => new URL(segment.url(page)).pathname.slice(1))
}

const counts = (bytes: Uint8Array) => [...openSegment(bytes).templatePages]

test('counts the pages with a text that differs in names only', () => {
  const other = described('teak', 'Here the text about hover and focus is one that no other page has.')
  expect(counts(build([...NAMES.slice(0, 3).map((name) => described(name)), other]))).toEqual([0, 3, 0, 3, 0, 3, 0, 1])
})

test('counts a text once on a page that repeats it', () => {
  const text = states('amber')
  const pages = [
    samplePage(
      'amber',
      'amber',
      [1, 2].map((at) => ({ heading: `Part ${at}`, text })),
    ),
  ]
  expect(counts(build(pages))).toEqual([1, 1])
})

test.each([
  [7, 'one two three four five six seven', [0, 0]],
  [8, 'one two three four five six seven eight', [2, 2]],
])('counts pages with a text of %d words', (_, text, expected) => {
  expect(counts(build(['a', 'b'].map((path) => samplePage(path, path, [{ heading: 'Part', text }]))))).toEqual(expected)
})

test.each([
  [8, [2, 2]],
  [9, [0, 0]],
])('counts pages with %d words of code beside eight of prose', (words, expected) => {
  const code = { language: 'js', text: 'word '.repeat(words) }
  const section = { heading: 'Part', text: 'one two three four five six seven eight', code }
  expect(counts(build(['a', 'b'].map((path) => samplePage(path, path, [section]))))).toEqual(expected)
})

test('counts anew in a merge, over all its segments and without omitted pages', () => {
  const [first, second] = [NAMES.slice(0, 2), NAMES.slice(2, 5)].map((names) => names.map((name) => described(name)))
  const segments = [build(first ?? []), build(second ?? [])]
  const keep = [...(first ?? []), ...(second ?? [])].slice(1).map(({ page: { url, textHash } }) => ({ url, textHash }))
  const merged = runBuildTask({ kind: 'merge', segments, keep })
  expect(merged && counts(merged)).toEqual([0, 4, 0, 4, 0, 4, 0, 4])
})

test('ranks the page about a subject above pages with the same text about each name', () => {
  expect(rank('hover and focus', [...NAMES.map((name) => described(name)), GUIDE])[0]).toBe('guide')
})

test.each([
  [WEIGHTS.template.pages - 1, 'amber'],
  [WEIGHTS.template.pages, 'guide'],
])('with a text on %d pages, ranks %s first', (pages, first) => {
  expect(rank('hover and focus', [...NAMES.slice(0, pages).map((name) => described(name)), GUIDE])[0]).toBe(first)
})

test('ranks the page of a name first if the question asks for it', () => {
  expect(rank('maple lamp on hover', [...NAMES.map((name) => described(name)), GUIDE])[0]).toBe('maple')
})
