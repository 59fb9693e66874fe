import { movedBlock } from './passage-of-chunk.ts'
import type { Passage, PassageCode } from './passage.ts'

type Fenced = { passage: string; code: readonly Pick<PassageCode, 'language' | 'text'>[] }

/** Fence line that opens the following code. */
const OPENING = /(?:^|\n)([ \t]*(?:`{3,}(?!`)|~{3,}(?!~)))[^\n]*\n$/
/** Fence line that closes the preceding code. */
const CLOSING = /^\n?[ \t]*(`{3,}|~{3,})[ \t]*(?:\n|$)/

/**
 * Adds missing fences to a passage that begins or ends inside a code block. The index splits long blocks, and without
 * fences the text after such a passage would render as code.
 */
export function closeFences({ passage, code }: Fenced): string {
  const { head, tail } = missingFences({ passage, code })
  return head + passage + tail
}

function missingFences({ passage, code }: Fenced): { head: string; tail: string } {
  const [first, last] = [code[0], code.at(-1)]
  if (!first || !last) return { head: '', tail: '' }
  const closing = CLOSING.exec(passage.slice(first.text.length))?.[1]
  const head = passage.startsWith(first.text) ? `${closing ?? marksAround(passage)}${first.language ?? ''}\n` : ''
  if (!passage.endsWith(last.text)) return { head, tail: '' }
  const own = OPENING.exec(head + passage.slice(0, -last.text.length))?.[1]
  return { head, tail: `\n${own ?? marksAround(passage)}` }
}

/** Passages with complete fences, for block parsers. */
export function withFences(passages: readonly Passage[]): Passage[] {
  return passages.map((passage) => {
    const { head, tail } = missingFences(passage)
    if (head === '' && tail === '') return passage
    const shifted = <T extends { start: number }>(each: T): T => ({ ...each, start: each.start + head.length })
    const [code, turns] = [passage.code.map(shifted), passage.turns.map(shifted)]
    const blocks = passage.blocks.map((block) => movedBlock(block, head.length))
    return { ...passage, blocks, code, turns, passage: head + passage.passage + tail }
  })
}

/** A fence longer than any run of backticks at the start of a line. */
function marksAround(text: string): string {
  const runs = text.match(/^[ \t]*`{3,}/gm) ?? []
  return '`'.repeat(Math.max(3, ...runs.map((run) => run.trim().length + 1)))
}
