import type { Block } from '#documents/model/document.ts'

/** A longer question is prose. */
const MAX_LENGTH = 300
/** Questions that make a document a list of questions. A single one can be an appeal (`**Need help?**`). */
const LEAST = 2

/** A line that is a bold question: `**How do I …?**`, `**Q: How do I …?**`, `3. **How do I …?**`. */
const QUESTION = /^ {0,3}(?:\d{1,3}[.)][ \t]+)?(?:\*\*|__)([^*\n]{2,300}?[?？؟])(?:\*\*|__)[ \t]*\\?$/

/** A replacement of a range of the text. */
export type Edit = { start: number; end: number; text: string }

/**
 * Turns bold questions at the start of a paragraph into headings, one level below the heading above them. Lists of
 * questions are often written without headings, and each answer needs a section.
 */
export function questionHeadings(markdown: string, blocks: readonly Block[]): Edit[] {
  const edits: Edit[] = []
  let level = 1
  for (const block of blocks) {
    if (block.kind === 'heading') level = block.level
    if (block.kind !== 'paragraph' && block.kind !== 'list') continue
    for (const { start, end } of paragraphs(markdown, block)) {
      const newline = markdown.indexOf('\n', start)
      const lineEnd = newline < 0 || newline > end ? end : newline
      if (lineEnd - start > MAX_LENGTH) continue
      const question = QUESTION.exec(markdown.slice(start, lineEnd))?.[1]
      if (question === undefined) continue
      const marks = '#'.repeat(Math.min(6, level + 1))
      edits.push({ start, end: lineEnd, text: `${marks} ${question.replace(/^Q(?:uestion)?[:.] ?/i, '')}` })
    }
  }
  return edits.length >= LEAST ? edits : []
}

function* paragraphs(markdown: string, { start, end }: Block): Generator<{ start: number; end: number }> {
  for (let at = start; at < end;) {
    const blank = markdown.indexOf('\n\n', at)
    const stop = blank < 0 || blank > end ? end : blank
    yield { start: at, end: stop }
    at = stop
    while (at < end && markdown[at] === '\n') at++
  }
}
