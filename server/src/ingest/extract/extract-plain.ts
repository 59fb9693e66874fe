import type { Block, ExtractedPage } from './extracted-page.ts'
import { lastSegment } from './extract-markdown.ts'
import { oneLine, visible } from './one-line.ts'

const MAX_TITLE = 120

/** Plain text as it stands, a block a paragraph; a short first line is its title. */
export function extractPlain(source: string, url: string): ExtractedPage {
  const markdown = visible(source).trim()
  const firstLine = oneLine(markdown.slice(0, 2 * MAX_TITLE).split('\n', 1)[0] ?? '')
  const title = firstLine !== '' && firstLine.length <= MAX_TITLE ? firstLine : lastSegment(url)
  const blocks: Block[] = []
  for (const paragraph of markdown.matchAll(/\S[^\n]*(?:\n[^\S\n]*\S[^\n]*)*/g)) {
    blocks.push({ kind: 'text', start: paragraph.index, end: paragraph.index + paragraph[0].length })
  }
  const none = { language: null, canonical: null, noindex: false, nofollow: false, empty: false, generator: null }
  return { kind: 'page', title, markdown, blocks, links: [], ...none }
}
