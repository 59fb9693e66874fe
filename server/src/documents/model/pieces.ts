import type { Block, Span } from './document.ts'
import { markdownBlocks } from './markdown-blocks.ts'
import { itemsOf } from './read-block.ts'

/** A block of a text without headings, or an item of a list. Items of one list share a group; every other block has its own. */
export type Piece = Span & { kind: 'paragraph' | 'item' | 'code' | 'table'; group: number }

/** The blocks of a text as pieces, in order. Omits headings, and items that have no text. */
export function piecesOf(text: string, blocks: readonly Block[] = markdownBlocks(text)): Piece[] {
  return blocks.flatMap((block, group): Piece[] => {
    const { kind, start, end } = block
    if (kind === 'heading') return []
    if (kind === 'code' || kind === 'table') return [{ kind, start, end, group }]
    const items = kind === 'list' ? itemsOf(text, block) : []
    const first = items[0]?.start ?? end
    const before: Piece[] = first > start ? [{ kind: 'paragraph', start, end: Math.min(end, first), group }] : []
    return [...before, ...items.map((item): Piece => ({ kind: 'item', start: item.start, end: item.end, group }))]
  })
}
