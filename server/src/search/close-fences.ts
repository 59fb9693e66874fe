import type { Passage } from './passage.ts'

/** The line that opens the code after it. */
const OPENING = /(?:^|\n)([ \t]*(?:`{3,}(?!`)|~{3,}(?!~)))[^\n]*\n$/
/** The line that closes the code before it. */
const CLOSING = /^\n?[ \t]*(`{3,}|~{3,})[ \t]*(?:\n|$)/

/**
 * The text of a passage that begins or ends within a code block, as the index divides those that are too long, with the
 * fences that it lacks: whatever follows would be taken for code.
 */
export function closeFences({ passage, code }: Pick<Passage, 'passage' | 'code'>): string {
  const [first, last] = [code[0], code.at(-1)]
  if (!first || !last) return passage
  const closing = CLOSING.exec(passage.slice(first.text.length))?.[1]
  const head = passage.startsWith(first.text) ? `${closing ?? marksAround(passage)}${first.language ?? ''}\n` : ''
  if (!passage.endsWith(last.text)) return head + passage
  const own = OPENING.exec(head + passage.slice(0, -last.text.length))?.[1]
  return `${head}${passage}\n${own ?? marksAround(passage)}`
}

/** Passages with whole fences, for who reads their blocks. */
export function withFences(passages: readonly Passage[]): Passage[] {
  return passages.map((passage) => ({ ...passage, passage: closeFences(passage) }))
}

/** More backticks than any line of the text begins with. */
function marksAround(text: string): string {
  const runs = text.match(/^[ \t]*`{3,}/gm) ?? []
  return '`'.repeat(Math.max(3, ...runs.map((run) => run.trim().length + 1)))
}
