import type { Block, Span } from './document.ts'
import { markdownBlocks } from './markdown-blocks.ts'
import { itemsOf } from './read-block.ts'

/** Code of a text. The span includes its fences. */
export type Code = Span & { language: string | null; text: string }

/** The code blocks of a Markdown text, in order. An unclosed fence extends to the end. */
export function codeOf(markdown: string): Code[] {
  if (!markdown.includes('```') && !markdown.includes('~~~')) return []
  return codeIn(markdown, markdownBlocks(markdown))
}

/** The code among the blocks of a text, in order. */
export function codeIn(text: string, blocks: readonly Block[]): Code[] {
  return blocks.flatMap((block): Code[] => {
    if (block.kind !== 'code') return []
    const { start, end, codeStart, codeEnd, language } = block
    return [{ start, end, language, text: text.slice(codeStart, codeEnd) }]
  })
}

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

/** Abbreviations: their full stop does not end a sentence. */
const ABBREVIATIONS = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|resp|approx|incl|no|fig|sec|v|mr|mrs|dr|st)\.$/i

/**
 * Sentences of a text, without the white space between them. A sentence ends at a blank line, at `.`, `?` or `!` before
 * white space and a possible sentence start, or at a full-width form, but not in inline code or after an abbreviation.
 */
export function sentencesOf(text: string): Span[] {
  const sentences: Span[] = []
  let start = 0
  for (const match of text.matchAll(/`[^`\n]+`|(?<![.!?])[.!?]+[)\]"'*_]*(?=\s+\S)|[。！？]+|\n[ \t]*\n/gu)) {
    const end = match.index + match[0].length
    if (match[0].startsWith('`') || !endsSentence(text, start, end)) continue
    push(start, end)
    start = end
  }
  push(start, text.length)
  return sentences

  function push(from: number, to: number): void {
    const raw = text.slice(from, to)
    const trimmed = raw.trim()
    if (trimmed === '') return
    const begin = from + raw.indexOf(trimmed)
    sentences.push({ start: begin, end: begin + trimmed.length })
  }
}

function endsSentence(text: string, start: number, end: number): boolean {
  if (/[。！？\n]$/u.test(text.slice(start, end))) return true
  // Lower case continues the sentence: "Node.js vs. deno", "at 5 p.m. every day".
  if (/^\s+\p{Ll}/u.test(text.slice(end, end + 8))) return false
  return !ABBREVIATIONS.test(text.slice(Math.max(start, end - 10), end))
}
