import type { Block, CodeBlock } from '#documents/model/document.ts'
import { longestRun } from '#documents/model/markdown-blocks.ts'
import { movedBlock, type Passage } from './passage.ts'

type Fenced = { passage: string; blocks: readonly Block[] }

/** Adds missing fences to a passage that begins or ends in a code block: text after it would render as code. */
export function closeFences({ passage, blocks }: Fenced): string {
  const { head, tail } = missingFences({ passage, blocks })
  return head + passage + tail
}

function missingFences({ passage, blocks }: Fenced): { head: string; tail: string } {
  const [first, last] = [blocks[0], blocks.at(-1)]
  const isOpen = first?.kind === 'code' && first.codeStart === first.start && first.codeEnd > first.codeStart
  const head = isOpen ? `${closingOf(passage, first) || marksAround(passage, first)}${first.language ?? ''}\n` : ''
  if (last?.kind !== 'code' || last.codeEnd < last.end) return { head, tail: '' }
  const mark = isOpen && first === last ? marksAround(passage, last) : openingOf(passage, last)
  return { head, tail: `\n${mark}` }
}

/** Passages with complete fences. */
export function withFences(passages: readonly Passage[]): Passage[] {
  return passages.map((passage) => {
    const { head, tail } = missingFences(passage)
    if (head === '' && tail === '') return passage
    const shifted = <T extends { start: number }>(each: T): T => ({ ...each, start: each.start + head.length })
    const moved = passage.blocks.map((block) => movedBlock(block, head.length))
    const text = head + passage.passage + tail
    const blocks = moved.map((block, at) => ({
      ...block,
      ...(at === 0 && head !== '' ? { start: 0 } : {}),
      ...(at === moved.length - 1 && tail !== '' ? { end: text.length } : {}),
    }))
    return { ...passage, blocks, code: passage.code.map(shifted), turns: passage.turns.map(shifted), passage: text }
  })
}

/** The fence line below the code, or an empty text. */
function closingOf(passage: string, { codeEnd, end }: CodeBlock): string {
  return passage.slice(codeEnd, end).trim()
}

/** The marks of the fence line above the code, with their indent. */
function openingOf(passage: string, { start, codeStart }: CodeBlock): string {
  return /^[ \t]*[`~]+/.exec(passage.slice(start, codeStart))?.[0] ?? ''
}

/** A fence longer than any run of backticks in the code. */
function marksAround(passage: string, { codeStart, codeEnd }: CodeBlock): string {
  return '`'.repeat(Math.max(3, longestRun(passage.slice(codeStart, codeEnd)) + 1))
}
