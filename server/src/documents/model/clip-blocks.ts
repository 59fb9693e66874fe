import type { Block, Span } from './document.ts'
import { proseKind } from './read-block.ts'

/** The part of a block inside a span, as a block. Its kind is told by the first lines of the whole. */
export function clippedBlock(text: string, whole: Block, span: Span): Block {
  const start = Math.max(whole.start, span.start)
  const end = Math.min(whole.end, span.end)
  if (start === whole.start && end === whole.end) return ofItsKind(text, whole)
  const { resumes, ...own } = { resumes: undefined, ...whole }
  const rest = start > whole.start ? ({ continues: true } as const) : resumes === undefined ? {} : { resumes }
  if (own.kind === 'heading') return { ...own, start, end, ...rest }
  if (own.kind !== 'code') return { ...ofItsKind(text, own), start, end, ...rest }
  const codeStart = Math.min(end, Math.max(start, own.codeStart))
  return { ...own, start, end, codeStart, codeEnd: Math.max(codeStart, Math.min(end, own.codeEnd)), ...rest }
}

/** A block of prose with the kind that its first lines tell. */
function ofItsKind<B extends Block>(text: string, block: B): B {
  if (block.kind === 'heading' || block.kind === 'code') return block
  const kind = proseKind(text, block)
  return kind === block.kind ? block : { ...block, kind }
}

/** The parts of blocks inside a span, in order. */
export function clippedBlocks(text: string, blocks: readonly Block[], span: Span): Block[] {
  return blocks
    .filter((block) => block.start < span.end && block.end > span.start)
    .map((block) => clippedBlock(text, block, span))
}

/** Joins the parts of divided blocks. `parts` are the blocks of all passages of a page, in order. */
export function joinedBlocks(parts: Iterable<Block>): Block[] {
  const blocks: Block[] = []
  for (const { continues, ...part } of parts) {
    const last = blocks.at(-1)
    if (!continues || last === undefined) blocks.push(part)
    else if (last.kind === 'code' && part.kind === 'code')
      // The last part can be the closing fence alone.
      blocks[blocks.length - 1] = {
        ...last,
        end: part.end,
        codeEnd: part.codeEnd > part.codeStart ? part.codeEnd : last.codeEnd,
      }
    else blocks[blocks.length - 1] = { ...last, end: part.end }
  }
  return blocks
}
