import { expect, test } from 'vitest'
import { processPage } from '#processes/process-page.ts'
import { decodeOutline } from '#search/outline.ts'
import { placeAnchors, shiftAnchors } from './anchors.ts'

const chunk = (start: number) => ({ start, end: start + 10, headings: [], anchor: 'a-heading', code: [] })

test('gives each passage the last anchor at or before its start', () => {
  const anchors = [
    { offset: 5, anchor: 'page=1' },
    { offset: 20, anchor: 'page=2' },
    { offset: 22, anchor: 'page=3' },
  ]
  const placed = placeAnchors([0, 5, 19, 20, 40].map(chunk), anchors)
  expect(placed.map(({ anchor }) => anchor)).toEqual([null, 'page=1', 'page=1', 'page=2', 'page=3'])
})

test('keeps the anchors inside a passage', () => {
  const anchors = [8, 10, 14, 20].map((offset) => ({ offset, anchor: `page=${offset}` }))
  expect(placeAnchors([10, 21].map(chunk), anchors)).toMatchObject([
    { anchor: 'page=10', turns: [{ start: 14, anchor: 'page=14' }] },
    { anchor: 'page=20' },
  ])
})

test('removes the anchors of leading headings', () => {
  const [placed] = placeAnchors([{ ...chunk(0), above: [{ start: 0, anchor: 'above' }] }], [])
  expect(placed).toEqual({ ...chunk(0), anchor: null })
})

test('removes heading anchors if the list of anchors is empty', () => {
  expect(placeAnchors([chunk(0)], [])).toMatchObject([{ anchor: null }])
})

const anchorsOf = (text: string) =>
  [...text.matchAll(/Page (\d)/g)].map(({ index, 1: page }) => ({ offset: index, anchor: `page=${page}` }))

test('moves anchors by the length of the text removed before them', () => {
  const before = 'Page 1 has <b>bold</b> words.\n\nPage 2 has none.\n\n<i>Page 3</i> ends.'
  const after = 'Page 1 has bold words.\n\nPage 2 has none.\n\nPage 3 ends.'
  expect(shiftAnchors(anchorsOf(before), before, after)).toEqual(anchorsOf(after))
})

test('finds its place again after a long removed part', () => {
  const removed = '<script>the removed words are words of a page as well</script>'
  const before = `Page 1.${removed.repeat(50)}\n\n${'More words of the first page. '.repeat(200)}\n\nPage 2.`
  const after = before.replaceAll(removed, '')
  expect(shiftAnchors(anchorsOf(before), before, after)).toEqual(anchorsOf(after))
})

test('returns the anchors of a text that was rewritten', () => {
  const anchors = [{ offset: 3, anchor: 'page=2' }]
  expect(shiftAnchors(anchors, 'abcdef', 'abXdefg')).toEqual(anchors)
})

test('cites the page that a passage begins on after markup in the text of a PDF', () => {
  const markdown = `# Markup\n\nWrite <b>bold</b> and <i>italic</i> words.\n\n## Second\n\n${'It is here. '.repeat(40)}`
  const result = processPage({
    url: 'upload://a/a.pdf',
    contentType: 'text/markdown; charset=utf-8',
    bytes: new TextEncoder().encode(markdown),
    given: {
      anchors: [
        { offset: 0, anchor: 'page=1' },
        { offset: markdown.indexOf('## Second'), anchor: 'page=2' },
      ],
    },
  })
  if (result.kind === 'rejected' || result.outline === null) throw new Error('no page')
  const { chunks } = decodeOutline(result.outline)
  expect(chunks.map(({ anchor, headings }) => [headings.at(-1), anchor])).toContainEqual(['Second', 'page=2'])
})
