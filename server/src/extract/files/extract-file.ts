import { type ExtractedPage, NO_FACTS, type PageInput, type Rejected, reject } from '../extracted-page.ts'
import { decodeText } from '../decode.ts'
import { extractMarkdown } from '../markdown/extract-markdown.ts'
import { isHeading, parseHtml } from '../html/html-tree.ts'
import { MAX_MARKDOWN, renderMarkdown } from '../html/render-markdown.ts'
import { createLinkResolver, lastSegment } from '../resolve-link.ts'
import { oneLine } from '#lib/text/one-line.ts'
import { docxToHtml } from './docx-to-html.ts'
import { epubToHtml } from './epub-to-html.ts'
import { orgToMarkdown } from './org-to-markdown.ts'
import { pptxToHtml } from './pptx-to-html.ts'
import { xlsxToHtml } from './xlsx-to-html.ts'
import type { FileFormat } from '../repository/repository-file.ts'
import { FileProblem } from './file-problem.ts'
import { odtToHtml } from './odt-to-html.ts'
import { type Parts, damaged, readParts } from './read-parts.ts'
import { listOf, recordOf, textsOf } from '../api/parse-data.ts'
import { fenced, joinParts } from '../markdown/write-markdown.ts'

/** A file as HTML. `title` is empty for that of the first heading, null for the name of the file. `language` is ISO 639-1 or null. */
export type HtmlFile = { html: string; title: string | null; language?: string | null }

/** Upper bound for a file. Larger ones are mostly pictures. */
const MAX_BYTES = 24 << 20
const MAX_TITLE = 200

const TEXTS = { notebook: notebookToMarkdown, org: orgToMarkdown }
type TextFormat = keyof typeof TEXTS
/**
 * The parts of each format that are read, and their converter to HTML. `leastHeadings`: from this number of headings on,
 * a file marks all of its headings, and bold questions in it are text. The only heading of a letter is its title.
 */
type ZipFormat = { parts: RegExp; toHtml: (parts: Parts) => HtmlFile; leastHeadings: number }
const ZIPS: Record<Exclude<FileFormat, TextFormat>, ZipFormat> = {
  docx: {
    parts:
      /^word\/(?:(?:document|styles|numbering|footnotes|endnotes)\.xml|_rels\/document\.xml\.rels)$|^docProps\/core\.xml$/,
    toHtml: docxToHtml,
    leastHeadings: 2,
  },
  pptx: {
    parts:
      /^ppt\/(?:presentation\.xml|(?:notesS|s)lides\/[^/]+\.xml|(?:slides\/)?_rels\/[^/]+\.rels)$|^docProps\/core\.xml$/,
    toHtml: pptxToHtml,
    leastHeadings: 1,
  },
  xlsx: {
    parts:
      /^xl\/(?:(?:workbook|sharedStrings|styles)\.xml|worksheets\/[^/]+\.xml|_rels\/[^/]+\.rels)$|^docProps\/core\.xml$/,
    toHtml: xlsxToHtml,
    leastHeadings: 1,
  },
  odt: { parts: /^(?:content|styles|meta|META-INF\/manifest)\.xml$/, toHtml: odtToHtml, leastHeadings: 2 },
  epub: {
    parts: /^META-INF\/(?:container|encryption)\.xml$|\.(?:opf|x?html?|xml)$/,
    toHtml: epubToHtml,
    leastHeadings: Infinity,
  },
}

/**
 * Converts a file to a page with blocks. Links of files are not followed, and nothing in them is run. Rejects a file
 * that is encrypted, damaged, or beyond a limit with a sentence.
 */
export async function extractFile({ url, bytes }: PageInput, format: FileFormat): Promise<ExtractedPage | Rejected> {
  if (bytes.byteLength > MAX_BYTES) {
    return reject('too_large', `The file is larger than ${MAX_BYTES >> 20} MB. Divide it, or save it without pictures.`)
  }
  try {
    if (isText(format)) return textPage(TEXTS[format], url, bytes)
    const { parts, toHtml, leastHeadings } = ZIPS[format]
    return pageOf(toHtml(await readParts(bytes, parts)), leastHeadings, url)
  } catch (error) {
    if (error instanceof FileProblem) return reject(error.reason, error.message)
    throw error
  }
}

function isText(format: FileFormat): format is TextFormat {
  return format in TEXTS
}

function textPage(toMarkdown: (text: string) => string, url: string, bytes: Uint8Array): ExtractedPage | Rejected {
  const text = decodeText(bytes, null)
  if (text === null) return reject('decode', 'The bytes are no text in any encoding that browsers know.')
  // Notebooks hold pictures beside their text.
  if (toMarkdown === orgToMarkdown && text.length > MAX_MARKDOWN) return tooLong()
  const page = extractMarkdown(toMarkdown(text), url)
  if (page.kind === 'rejected') return page
  if (page.markdown.length > MAX_MARKDOWN) return tooLong()
  return page.markdown === '' ? reject('no_text', 'The file has no text.') : { ...page, links: [] }
}

const tooLong = (): Rejected =>
  reject('too_large', `The file holds more than ${MAX_MARKDOWN >> 20} million characters of text. Divide it.`)

function pageOf(
  { html, title, language = null }: HtmlFile,
  leastHeadings: number,
  url: string,
): ExtractedPage | Rejected {
  const tree = parseHtml(html)
  const [document] = tree ?? []
  if (tree === null || document === undefined)
    return reject('too_complex', 'The file is in more pieces than any real document is.')
  const marksHeadings = tree.filter(isHeading).length >= leastHeadings
  const { markdown, blocks } = renderMarkdown(
    { resolve: createLinkResolver(url), page: url, labels: new Map(), marksHeadings },
    document,
  )
  if (markdown.length > MAX_MARKDOWN) return tooLong()
  if (markdown === '') return reject('no_text', 'The file has no text.')
  const first = blocks.find((block) => block.kind === 'heading')
  const name = oneLine(title ?? lastSegment(url)).slice(0, MAX_TITLE) || first?.text || lastSegment(url)
  return { kind: 'page', title: name, markdown, blocks, links: [], empty: false, ...NO_FACTS, language }
}

/** Converts a Jupyter notebook (nbformat 3 and 4) without its outputs. Throws `FileProblem` for other JSON. */
function notebookToMarkdown(json: string): string {
  const { cells, worksheets, metadata } = parseMapping(json)
  if (!Array.isArray(cells) && !Array.isArray(worksheets)) throw damaged('it is no notebook')
  const { language_info: info, kernelspec } = recordOf(metadata)
  const named = textsOf([recordOf(info)['name'], recordOf(kernelspec)['language']])
  const language = named.find((name) => /^[\w+#.-]{1,24}$/.test(name))?.toLowerCase()
  const all = Array.isArray(cells) ? cells : listOf(worksheets).flatMap((sheet) => listOf(recordOf(sheet)['cells']))
  const parts = all.map((cell) => {
    const { cell_type: type, source, input, level } = recordOf(cell)
    // A string, or a list of lines with their line ends.
    const lines = [source ?? input].flat().filter((line) => typeof line === 'string')
    const text = lines.join('').trim()
    if (text === '' || type === 'markdown') return text
    if (type === 'heading') return `${'#'.repeat(Math.min(6, Math.max(1, Number(level) || 2)))} ${text}`
    return type === 'code' ? fenced(text, language) : ''
  })
  return joinParts(parts)
}

function parseMapping(json: string) {
  try {
    return recordOf(JSON.parse(json))
  } catch {
    // Truncated JSON is not a notebook.
    return {}
  }
}
