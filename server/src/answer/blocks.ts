import type { Span } from './sentences.ts'

/** Offsets of a Markdown block. Items of one list share a group; every other block has a separate group. */
export type Block = Span & { kind: 'paragraph' | 'item' | 'code' | 'table'; group: number }

const FENCE = /^\s*(`{3,}|~{3,})/
const HEADING = /^ {0,3}#{1,6}(?:\s|$)/
const ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s+\S/
const ROW = /^\s*\|/

/**
 * Splits a passage into blocks, in order and without headings. Parses only the Markdown that our extraction writes. An
 * unclosed fence was truncated, so it yields no block.
 */
export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = []
  let group = 0
  let open: Block | null = null
  let fence: Fence | null = null
  for (const { start, end } of linesOf(markdown)) {
    const line = markdown.slice(start, end)
    if (fence !== null) {
      if (!closes(fence, line)) continue
      blocks.push({ kind: 'code', start: fence.start, end, group: ++group })
      fence = null
      continue
    }
    const mark = FENCE.exec(line)?.[1]
    if (mark !== undefined) fence = { start, mark }
    const kind = kindOf(line)
    if (kind === 'between') {
      // Only blank lines may separate the items of one list.
      if (line.trim() !== '') group++
      open = null
    } else if (open !== null && goesOn(open, kind)) {
      open.end = end
    } else {
      if (kind !== 'item' || blocks.at(-1)?.kind !== 'item') group++
      open = { kind, start, end, group }
      blocks.push(open)
    }
  }
  return blocks
}

/** The heading lines of a passage, in order. A comment in code is none. */
export function headingsOf(markdown: string): { start: number; text: string }[] {
  const code = blocksOf(markdown).filter(({ kind }) => kind === 'code')
  return [...linesOf(markdown)]
    .filter(({ start, end }) => HEADING.test(markdown.slice(start, end)))
    .filter(({ start }) => !code.some((block) => block.start <= start && start < block.end))
    .map(({ start, end }) => ({ start, text: markdown.slice(start, end).trim() }))
    .filter(({ text }) => !/^#+$/.test(text))
}

type Fence = { start: number; mark: string }

function closes({ mark }: Fence, line: string): boolean {
  const run = line.trim()
  return run.startsWith(mark) && run === run.charAt(0).repeat(run.length)
}

function kindOf(line: string) {
  if (line.trim() === '' || FENCE.test(line) || HEADING.test(line)) return 'between'
  if (ITEM.test(line)) return 'item'
  return ROW.test(line) ? 'table' : 'paragraph'
}

/** Lines below an item belong to it in any form, until a blank line or the next item. */
function goesOn(open: Block, kind: Block['kind']): boolean {
  return kind !== 'item' && (open.kind === kind || open.kind === 'item')
}

function* linesOf(text: string): Generator<Span> {
  let start = 0
  while (start < text.length) {
    const at = text.indexOf('\n', start)
    const end = at < 0 ? text.length : at
    yield { start, end }
    start = end + 1
  }
}
