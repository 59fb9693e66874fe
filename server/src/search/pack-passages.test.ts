import { describe, expect, test } from 'vitest'
import { markdownBlocks } from '#documents/model/markdown-blocks.ts'
import { choosePassages, cutPassage } from './pack-passages.ts'
import { createRanker } from './rank/rank.ts'
import { openSegment } from './segment/open-segment.ts'
import { SegmentBuilder } from './segment/segment-builder.ts'
import { samplePage } from '../../test/support/lib/sample-pages.ts'

const long = (letter: string, size = 300) => letter.repeat(size)

/** Shows a single truncated passage. */
function shown(markdown: string, bytes: number, left = 5_000): string {
  const chunk = { start: 0, end: markdown.length, blocks: markdownBlocks(markdown) }
  const cut = cutPassage(markdown, chunk, { bytes, left })
  const text = markdown.slice(0, cut.end)
  expect(cut.bytes).toBe(Buffer.byteLength(text))
  return text
}

const CODE = `\`\`\`ts\n${long('c', 100)}\n\n${long('d', 100)}\n\`\`\``
const LIST = `- ${long('x')}\n- ${long('y')}\n  more of it\n- ${long('z')}`

test.each([
  ['a short one stays whole', `a\n\n${LIST}`, 2_000, `a\n\n${LIST}`],
  ['its length in bytes is bounded', `${long('ä')}\n\n${long('é')}`, 1_000, long('ä')],
  ['a block beyond the limit is omitted', `${long('a')}\n\n${long('b')}`, 400, long('a')],
  ['its first block is always complete', long('a', 900), 400, long('a', 900)],
  ['it does not end with a heading', `${long('a')}\n\n## Next\n\n${long('b')}`, 400, long('a')],
  ['it does not end with a colon', `${long('a')}\n\nSo:\n\n${long('b')}`, 400, long('a')],
  [
    'a lone heading is followed by its text',
    `## Head\n\n${long('a', 900)}\n\n${long('b')}`,
    400,
    `## Head\n\n${long('a', 900)}`,
  ],
  ['an introduction is followed by its code', `So:\n\n${CODE}\n\n${long('b')}`, 100, `So:\n\n${CODE}`],
  ['a list ends after an item', `Mostly:\n\n${LIST}`, 650, `Mostly:\n\n- ${long('x')}\n- ${long('y')}\n  more of it`],
])('truncates a passage so that %s', (_, markdown, bytes, expected) => expect(shown(markdown, bytes)).toBe(expected))

test('shows announced text of up to 2,000 bytes', () => {
  const text = (size: number) => `## Head\n\n${long('a', size - 9)}\n\n${long('b')}`
  expect(shown(text(2_000), 400)).toHaveLength(2_000)
  expect(shown(text(2_001), 400)).toBe('## Head')
})

test('omits announced text beyond the remaining budget', () => {
  expect(shown(`## Head\n\n${long('a', 900)}\n\n${long('b')}`, 400, 908)).toBe('## Head')
})

/** Chosen passages of a page with four passages, as the places of the passages in the page. */
function chosenOf(...sections: { anchor: string | null; headings: string[] }[]): number[] {
  const texts = ['A gizmo and its cog.', 'The wheel of a gizmo.', 'Any gizmo has an axle.', 'Spindles of a gizmo.']
  const { page, markdown } = samplePage(
    'gizmo',
    'Gizmo',
    texts.map((text, at) => ({ heading: `Part ${at}`, text })),
  )
  const builder = new SegmentBuilder()
  builder.add({ ...page, chunks: page.chunks.map((chunk, at) => ({ ...chunk, ...sections[at] })) }, markdown)
  const given = [{ segment: openSegment(builder.finish()), sourceId: 'source', type: 'docs' as const }]
  const { chunks } = createRanker()(given, { query: 'gizmo' }, 10)
  expect(chunks).toHaveLength(3)
  return choosePassages(chunks, 10).map(({ chunk }) => chunk)
}

describe('several passages of a page', () => {
  const section = (anchor: string | null, ...headings: string[]) => ({ anchor, headings })

  test('are shown once for each anchor', () => {
    const all = chosenOf(section('a', 'A'), section('b', 'B'), section('c', 'C'), section('d', 'D'))
    expect(all).toHaveLength(3)
    const same = chosenOf(section('a', 'A'), section('a', 'A'), section('a', 'A'), section('a', 'A'))
    expect(same).toEqual(all.slice(0, 1))
  })

  test('are shown once for each heading if they have no anchor', () => {
    const headings = [section(null, 'A'), section(null, 'B'), section(null, 'C'), section(null, 'D')]
    expect(chosenOf(...headings)).toHaveLength(3)
    expect(chosenOf(section(null, 'A'), section(null, 'A'), section(null, 'A'), section(null, 'A'))).toHaveLength(1)
  })
})
