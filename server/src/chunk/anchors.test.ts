import { zstdDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { processPage } from '#readers/process-page.ts'
import { decodeOutline } from '#search/outline.ts'
import { type Anchor, placeAnchors } from './anchors.ts'

const chunk = (start: number) => ({ start, end: start + 10, headings: [], anchor: 'a-heading', blocks: [] })

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

test('replaces the anchors of headings inside a passage', () => {
  const heading = { kind: 'heading', level: 2, text: 'Above', anchor: 'above' } as const
  const blocks = [0, 6].map((start) => ({ ...heading, start, end: start + 4 }))
  expect(placeAnchors([{ ...chunk(0), blocks }], [{ offset: 5, anchor: 'page=2' }])[0]?.blocks).toMatchObject([
    { anchor: null },
    { anchor: 'page=2' },
  ])
})

test('removes heading anchors if the list of anchors is empty', () => {
  expect(placeAnchors([chunk(0)], [])).toMatchObject([{ anchor: null }])
})

function processed(markdown: string, anchors: Anchor[]) {
  const result = processPage({
    url: 'upload://a/a.pdf',
    contentType: 'text/markdown; charset=utf-8',
    bytes: new TextEncoder().encode(markdown),
    given: { anchors },
  })
  if (result.kind === 'rejected' || result.unchanged) throw new Error('no page')
  return { text: zstdDecompressSync(result.compressed).toString(), ...decodeOutline(result.outline) }
}

test('cites the page that a passage begins on after markup in the text of a PDF', () => {
  const markdown = `# Markup\n\nWrite <b>bold</b> and <i>italic</i> words.\n\n## Second\n\n${'It is here. '.repeat(40)}`
  const { chunks } = processed(markdown, [
    { offset: 0, anchor: 'page=1' },
    { offset: markdown.indexOf('## Second'), anchor: 'page=2' },
  ])
  expect(chunks.map(({ anchor, headings }) => [headings.at(-1), anchor])).toContainEqual(['Second', 'page=2'])
})

test.each([
  ['a tag', 'Write <b>'],
  ['an element with content', 'Write <script>a bright second page and its words</script>'],
  ['invisible characters', 'Write\u00ad\u200b so\u00adft hyphens.'],
  ['code', '```\n<b>\n```\n\nWrite </b>'],
])('keeps the page anchors of a PDF exact after %s', (_, before) => {
  const page = `${before}\n\n## Second\n\n`
  const markdown = `# Markup\n\n${page.repeat(50)}It bears </b> all of it, and goes on over the page.`
  const cut = markdown.indexOf('goes on')
  const offsets = [...markdown.matchAll(/## Second/g)].map(({ index }) => index)
  const anchors = [...offsets, cut].map((offset, at) => ({ offset, anchor: `page=${at + 2}` }))
  const { text, chunks } = processed(markdown, [{ offset: 0, anchor: 'page=1' }, ...anchors])
  const starts = chunks.flatMap(({ start, anchor, turns = [] }) => [{ start, anchor }, ...turns])
  const firsts = anchors.map(({ anchor }) => starts.find((each) => each.anchor === anchor)?.start ?? -1)
  expect(firsts.map((start) => text.slice(start, start + 7))).toEqual([...offsets.map(() => '## Seco'), 'goes on'])
})
