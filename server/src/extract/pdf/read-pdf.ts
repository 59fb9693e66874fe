import { getDocumentProxy } from 'unpdf'
import { pdfToMarkdown, type WrittenPdf } from './pdf-to-markdown.ts'
import { type OutlineEntry, type PdfContent, type PdfPage, type TextRun, segmentsOf } from './segments.ts'

export type ReadPdf = WrittenPdf & {
  kind: 'pdf'
  title: string
  language: string | null
  pageCount: number
  lost: number[]
}

/** A PDF without readable text, with advice for its owner. */
export type NoPdf = { kind: 'rejected'; reason: 'not_a_pdf' | 'encrypted' | 'damaged' | 'scanned'; detail: string }

/** The signature is within the first bytes: some programs write their own header before it. */
const SIGNATURE_WITHIN = 1024

/** Converts a PDF to Markdown. Fetches nothing and runs no script of the document. */
export async function readPdf({ bytes }: { bytes: Uint8Array }): Promise<ReadPdf | NoPdf> {
  if (Buffer.from(bytes.subarray(0, SIGNATURE_WITHIN)).indexOf('%PDF-') < 0) {
    return reject('not_a_pdf', 'The file is no PDF: it does not begin as one. Check where the address leads.')
  }
  const document = await open(bytes)
  if ('reason' in document) return document
  const { content, lost } = await readContent(document)
  const written = pdfToMarkdown(content)
  if (!/[\p{L}\p{N}]/u.test(written.markdown)) {
    if (lost.length > 0) return reject('damaged', 'The PDF is damaged: none of its pages can be read. Save it anew.')
    return reject('scanned', 'The PDF holds pictures and no text. Put it through text recognition (OCR) and try again.')
  }
  return { kind: 'pdf', ...written, language: content.language, pageCount: document.numPages, lost }
}

type Document = Awaited<ReturnType<typeof getDocumentProxy>>

async function open(bytes: Uint8Array): Promise<Document | NoPdf> {
  try {
    return await getDocumentProxy(bytes, { verbosity: 0, enableXfa: false, stopAtErrors: false, maxImageSize: 1 })
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (error.name === 'PasswordException') {
      return reject('encrypted', 'The PDF is protected by a password. Save it without one and try again.')
    }
    // The parser only reads the file here, so any other error means that the file is damaged.
    return reject('damaged', `The PDF is damaged and cannot be opened (${error.message.slice(0, 120)}). Save it anew.`)
  }
}

function reject(reason: NoPdf['reason'], detail: string): NoPdf {
  return { kind: 'rejected', reason, detail }
}

/** Upper bound for pages. Larger files are scanned archives. */
const MAX_PAGES = 5_000
/** Pages after which the parser drops its fonts and images. */
const CLEANED_AFTER = 100
/** Upper bound for runs on a page. The densest tables have about 20,000. */
const MAX_RUNS = 50_000

/** Reads all text of a PDF. An unreadable page does not affect the others; `lost` lists their numbers. */
async function readContent(document: Document): Promise<{ content: PdfContent; lost: number[] }> {
  const pages: PdfPage[] = []
  const lost: number[] = []
  const weights: Weights = new Map()
  for (let number = 1; number <= Math.min(document.numPages, MAX_PAGES); number++) {
    try {
      pages.push(await readPage(document, number, weights))
    } catch (error) {
      if (!(error instanceof Error)) throw error
      lost.push(number)
    }
    if (number % CLEANED_AFTER === 0) await document.cleanup()
  }
  return { content: { ...(await readFacts(document)), pages, outline: await readOutline(document) }, lost }
}

/** By name of a font: whether it is bold. */
type Weights = Map<string, boolean>

/** Also of TeX: `CMBX12`. */
const BOLD = /bold|black|heavy|demi|CMBX|SFBX/i
/** Fonts whose weight is read. Real documents have fewer. */
const MOST_FONTS = 100

/** Reads which fonts are bold. The parser gives their names only with the drawing commands of a page. */
async function readWeights(page: Page, names: readonly string[], weights: Weights): Promise<void> {
  if (weights.size >= MOST_FONTS || names.every((name) => weights.has(name))) return
  await page.getOperatorList()
  for (const name of names) {
    const font = page.commonObjs.has(name) ? (page.commonObjs.get(name) as { name?: string } | null) : null
    weights.set(name, BOLD.test(font?.name ?? ''))
  }
}

type Page = Awaited<ReturnType<Document['getPage']>>

async function readPage(document: Document, number: number, weights: Weights): Promise<PdfPage> {
  const page = await document.getPage(number)
  const { height, transform } = page.getViewport({ scale: 1 })
  const { items, styles } = await page.getTextContent()
  await readWeights(page, Object.keys(styles), weights)
  const runs: TextRun[] = []
  for (const item of items) {
    if (!('str' in item) || runs.length >= MAX_RUNS) continue
    const [a, b, c, d, x, y] = multiply(transform, item.transform)
    // Rotated text is a watermark or a chart label.
    if (Math.abs(b) > Math.abs(a) || ![x, y, item.width].every(Number.isFinite)) continue
    const isMono = styles[item.fontName]?.fontFamily === 'monospace'
    const isBold = weights.get(item.fontName) ?? false
    const size = Math.hypot(c, d) || 1
    runs.push({ text: item.str, x, y, right: x + item.width, size, isMono, isBold, endsLine: item.hasEOL })
  }
  page.cleanup()
  return { number, height, segments: segmentsOf(runs) }
}

/** The product of two transformations, with the second applied first. */
function multiply(first: readonly number[], second: readonly number[]) {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = first
  const [g = 1, h = 0, i = 0, j = 1, k = 0, l = 0] = second
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f] as const
}

/** File names, which programs use as default title. */
const DEFAULT_TITLE = /^(?:untitled|microsoft word\b|slide 1$)|\.(?:docx?|tex|dvi|pdf|indd|pptx?|odt|xlsx?|html?)$/i

async function readFacts(document: Document): Promise<Pick<PdfContent, 'title' | 'language'>> {
  // Treat damaged metadata as absent.
  const { info } = await document.getMetadata().catch(() => ({ info: {} }))
  const { Title, Language } = info as Record<string, unknown>
  const title = typeof Title === 'string' && /\p{L}{2}/u.test(Title) && !DEFAULT_TITLE.test(Title) ? Title : ''
  const language = typeof Language === 'string' ? Language.slice(0, 2).toLowerCase() : ''
  return { title, language: /^[a-z]{2}$/.test(language) ? language : null }
}

type Node = Awaited<ReturnType<Document['getOutline']>>[number]

const MAX_ENTRIES = 5_000
const MAX_DEPTH = 10

/** Reads the outline as a flat list in order. Empty if it is absent or damaged. */
async function readOutline(document: Document): Promise<OutlineEntry[]> {
  const roots: Node[] | null = await document.getOutline().catch(() => null)
  const entries: OutlineEntry[] = []
  const add = async (nodes: Node[], level: number): Promise<void> => {
    for (const { title, dest, items } of nodes) {
      if (entries.length >= MAX_ENTRIES) return
      entries.push({ title, level, page: await pageOf(document, dest) })
      if (level < MAX_DEPTH) await add(items, level + 1)
    }
  }
  await add(roots ?? [], 0)
  return entries
}

async function pageOf(document: Document, dest: Node['dest']): Promise<number | null> {
  try {
    const place: unknown = typeof dest === 'string' ? await document.getDestination(dest) : dest
    const target: unknown = Array.isArray(place) ? place[0] : null
    if (typeof target === 'number') return target + 1
    if (typeof target !== 'object' || target === null) return null
    return (await document.getPageIndex(target as Parameters<Document['getPageIndex']>[0])) + 1
  } catch {
    // The target page does not exist.
    return null
  }
}
