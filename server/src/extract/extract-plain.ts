import type { Block, ExtractedPage } from './extracted-page.ts'
import { lastSegment } from './last-segment.ts'
import { oneLine, visible } from './one-line.ts'

const MAX_TITLE = 120

/** Converts plain text to a page, with one block per paragraph. A short first line is the title. */
export function extractPlain(source: string, url: string): ExtractedPage {
  const markdown = visible(source).trim()
  const firstLine = oneLine(markdown.slice(0, 2 * MAX_TITLE).split('\n', 1)[0] ?? '')
  const title = firstLine !== '' && firstLine.length <= MAX_TITLE ? firstLine : lastSegment(url)
  const blocks = paragraphs(markdown)
  const none = { language: null, canonical: null, noindex: false, nofollow: false, empty: false, generator: null }
  return { kind: 'page', title, markdown, blocks, links: [], ...none }
}

/** Splits text at blank lines. */
function paragraphs(text: string): Block[] {
  const blocks: Block[] = []
  let open: Block | null = null
  for (let at = 0; at < text.length;) {
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline
    if (text.slice(at, end).trim() === '') open = null
    else if (open !== null) open.end = end
    else {
      open = { kind: 'text', start: at, end }
      blocks.push(open)
    }
    at = end + 1
  }
  return blocks
}
