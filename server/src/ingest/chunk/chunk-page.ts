import type { Block, ExtractedPage } from '#ingest/extract/extracted-page.ts'
import type { Chunk, CodeBlock } from '#search/page.ts'
import { createHeadingTracker, type HeadingPath } from './heading-path.ts'
import { SIZES } from './sizes.ts'
import { splitBlock } from './split-block.ts'

/** A passage in the making. */
type Draft = HeadingPath & {
  start: number
  end: number
  /** It holds headings only, so the next one is still its own. */
  opening: boolean
}

/**
 * Divides a page into passages: a passage begins at a heading or where the one before is full; code fences and tables
 * stay whole unless they alone are longer than a passage may be; a section too small to stand alone takes in the next.
 * Passages cover everything but blank lines, in order, without overlap. A page without text gives none.
 */
export function chunkPage(page: Pick<ExtractedPage, 'title' | 'markdown' | 'blocks'>): Chunk[] {
  return mergeSmallEnd(draftPassages(page)).map(({ start, end, headings, anchor }) => ({
    start,
    end,
    headings,
    anchor,
    code: codeWithin(page.blocks, start, end),
  }))
}

function draftPassages({ title, markdown, blocks }: Pick<ExtractedPage, 'title' | 'markdown' | 'blocks'>): Draft[] {
  const drafts: Draft[] = []
  const tracker = createHeadingTracker(title)
  let path: HeadingPath = { headings: [], anchor: null }
  for (const block of blocks) {
    const isHeading = block.kind === 'heading'
    if (isHeading) path = tracker.enter(block)
    for (const piece of splitBlock(markdown, block, SIZES.most)) {
      const last = drafts.at(-1)
      if (last === undefined || isFull(last, piece.end, isHeading)) {
        drafts.push({ ...piece, ...path, opening: isHeading })
        continue
      }
      last.end = piece.end
      if (last.opening) Object.assign(last, path)
      last.opening &&= isHeading
    }
  }
  return drafts
}

/** Whether a new passage has to begin instead of growing `draft` up to `end`. */
function isFull(draft: Draft, end: number, atHeading: boolean): boolean {
  const length = draft.end - draft.start
  const grown = end - draft.start
  if (grown > SIZES.most) return true
  if (draft.opening || length < SIZES.least) return false
  return atHeading || grown > SIZES.usual
}

/** The rest of a page is often a line or two: it goes with what it follows. */
function mergeSmallEnd(drafts: Draft[]): Draft[] {
  const last = drafts.at(-1)
  const before = drafts.at(-2)
  if (last === undefined || before === undefined) return drafts
  if (last.end - last.start >= SIZES.least || last.end - before.start > SIZES.most) return drafts
  before.end = last.end
  return drafts.slice(0, -1)
}

/** Code inside `[start, end)`; of a fence that was divided, the part that is inside. */
function codeWithin(blocks: Block[], start: number, end: number): CodeBlock[] {
  const code: CodeBlock[] = []
  for (const block of blocks) {
    if (block.kind !== 'code' || block.codeEnd <= start || block.codeStart >= end) continue
    code.push({ start: Math.max(start, block.codeStart), end: Math.min(end, block.codeEnd), language: block.language })
  }
  return code
}
