import { decodeText, type TextKind, mediaType, textKind } from './decode.ts'
import { extractHtml } from './html/extract-html.ts'
import { extractMarkdown } from './markdown/extract-markdown.ts'
import type { Block } from '#documents/model/document.ts'
import { type ExtractedPage, NO_FACTS, type PageInput, type Rejected, reject } from './extracted-page.ts'
import { MAX_MARKDOWN } from './html/render-markdown.ts'
import { lastSegment } from './resolve-link.ts'
import { oneLine, visible } from '#lib/text/one-line.ts'

/** Upper bound for a document. The largest single-page manuals have about 12 MB. */
const MAX_BYTES = 24 << 20
/**
 * Converts a fetched document to title, Markdown, blocks and links. Pure: fetches nothing and runs nothing. Reads HTML,
 * XHTML, Markdown and plain text; rejects everything else with a reason and a sentence.
 */
export function extractPage(input: PageInput): ExtractedPage | Rejected {
  const { url, contentType, bytes } = input
  if (bytes.byteLength > MAX_BYTES) return reject('too_large', `The document is larger than ${MAX_BYTES >> 20} MB.`)
  const kind = textKind(contentType, url, bytes)
  if (kind === null)
    return reject('not_html', `The document is not a text page (${mediaType(contentType) || 'no type'}).`)
  const text = decodeText(bytes, contentType)
  if (text === null) return reject('decode', 'The bytes are no text in any encoding that browsers know.')
  const page = extractText(text, kind, input)
  if (page.kind === 'rejected') return page
  if (page.markdown.length > MAX_MARKDOWN) {
    return reject('too_large', `The page holds more than ${MAX_MARKDOWN >> 20} million characters of text.`, page.links)
  }
  if (page.markdown === '' && !page.empty) return reject('no_text', 'The document has no text.', page.links)
  return page
}

function extractText(text: string, kind: TextKind, input: PageInput): ExtractedPage | Rejected {
  const { url } = input
  if (kind === 'html') return extractHtml(text, url, input.withRoutes)
  if (text.length > MAX_MARKDOWN) {
    return reject('too_large', `The document holds more than ${MAX_MARKDOWN >> 20} million characters of text.`)
  }
  return kind === 'markdown' ? extractMarkdown(text, url, input) : extractPlain(text, url)
}

const MAX_TITLE = 120

/** Converts plain text to a page, with one block per paragraph. A short first line is the title. */
function extractPlain(source: string, url: string): ExtractedPage {
  const markdown = visible(source).trim()
  const firstLine = oneLine(markdown.slice(0, 2 * MAX_TITLE).split('\n', 1)[0] ?? '')
  const title = firstLine !== '' && firstLine.length <= MAX_TITLE ? firstLine : lastSegment(url)
  return { kind: 'page', title, markdown, blocks: paragraphs(markdown), links: [], empty: false, ...NO_FACTS }
}

function paragraphs(text: string): Block[] {
  const blocks: Block[] = []
  let open: Block | null = null
  for (let at = 0; at < text.length;) {
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline
    if (text.slice(at, end).trim() === '') open = null
    else if (open !== null) open.end = end
    else {
      open = { kind: 'paragraph', start: at, end }
      blocks.push(open)
    }
    at = end + 1
  }
  return blocks
}
