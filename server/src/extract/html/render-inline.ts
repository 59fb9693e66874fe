import { elementAt } from '#lib/arrays.ts'
import { longestRun } from '#documents/model/markdown-blocks.ts'
import { oneLine } from '#lib/text/one-line.ts'
import {
  attribute,
  BLOCK_TAGS,
  createOpenElements,
  findInside,
  type HtmlNode,
  lineOf,
  type OpenElements,
  textOf,
} from './html-tree.ts'
import { InlineText } from './markdown-writer.ts'
import type { LinkResolver } from '../resolve-link.ts'

export type InlineInput = {
  resolve: LinkResolver
  /**
   * URL of the page. Links to it, with or without trailing slash, become plain text. So a page with both URLs has the
   * same text at both.
   */
  page: string
}

const MAX_INLINE_CODE = 4_000
const CODE_TAGS = new Set(['code', 'kbd', 'samp', 'tt', 'var'])

const MARKS = new Map(Object.entries({ strong: '**', b: '**', em: '*', i: '*', del: '~~', s: '~~' }))

/** Name, type and flags of a property. Docusaurus API pages separate them only in the style sheet. */
const SET_APART = /(?:^|\s)openapi-schema__(?!strikethrough)/

/** Renders the inside of an element as one paragraph of inline Markdown. Separates blocks with a space. */
export function inlineMarkdown(input: InlineInput, { tree, index, end }: HtmlNode): string {
  const inline = new InlineText()
  const open = createOpenElements()
  for (let i = index + 1; i < end;) {
    open.closeUpTo(i)
    const node = elementAt(tree, i)
    if (node.dropped) i = node.end
    else if (BLOCK_TAGS.has(node.tag)) {
      setApart(inline, node, open)
      i++
    } else i = renderInline(input, inline, node, open)
  }
  open.closeUpTo(Number.POSITIVE_INFINITY)
  return inline.take()
}

/** Renders the inside of an element as inline Markdown without line breaks. */
export function inlineLine(input: InlineInput, element: HtmlNode): string {
  return inlineMarkdown(input, element).replaceAll(/\s+/g, ' ')
}

/** Writes the text or the inline element, or opens it. Returns the index of the next node. */
export function renderInline(input: InlineInput, inline: InlineText, node: HtmlNode, open: OpenElements): number {
  const whole = node.tag === '' || node.tag === 'br' ? '' : wholeElement(input, node)
  if (node.tag === '') inline.add(node.text)
  else if (node.tag === 'br') inline.lineBreak()
  else if (whole !== null) inline.addMarkdown(whole)
  else openElement(input, inline, node, open)
  return whole === null ? node.index + 1 : node.end
}

/** Returns the Markdown of an element that renders as one unit, or null to descend into it. */
function wholeElement(input: InlineInput, node: HtmlNode): string | null {
  if (isMath(node)) return mathText(node)
  if (CODE_TAGS.has(node.tag)) {
    // Some themes put the `pre` inside the `code` element, near its start.
    const isBlock = node.tag === 'code' && findInside(node, ({ tag }) => tag === 'pre', 8) !== undefined
    return isBlock ? null : codeMarkdown(lineOf(node, MAX_INLINE_CODE))
  }
  switch (node.tag) {
    case 'img':
      return imageMarkdown(input, node)
    case 'sup':
      return footnoteReference(node)
    case 'i':
      return iconTitle(node)
    default:
      return null
  }
}

/** Opens a mark or a link and registers its end in `open`. Other elements are transparent. */
function openElement(input: InlineInput, inline: InlineText, node: HtmlNode, open: OpenElements): void {
  if (SET_APART.test(attribute(node, 'class'))) setApart(inline, node, open)
  const close = node.tag === 'a' ? linkClosing(input, node) : (MARKS.get(node.tag) ?? null)
  // Markdown marks and links cannot span blocks.
  if (close === null || findInside(node, ({ tag }) => BLOCK_TAGS.has(tag)) !== undefined) return
  inline.openMark(node.tag === 'a' ? '[' : close)
  open.push(node.end, () => inline.closeMark(close))
}

function setApart(inline: InlineText, { end }: HtmlNode, open: OpenElements): void {
  inline.add(' ')
  open.push(end, () => inline.add(' '))
}

/** Returns `](url)`, or null for a link without a target or to this page. */
function linkClosing({ resolve, page }: InlineInput, node: HtmlNode): string | null {
  const href = attribute(node, 'href').trim()
  const url = resolve(href)
  if (url === null || url === page || `${url}/` === page || url === `${page}/`) return null
  const hash = url.includes('#') ? -1 : href.indexOf('#')
  const fragment = hash < 0 || hash === href.length - 1 ? '' : href.slice(hash)
  return `](${url}${fragment.replaceAll(/[\s()<>]/g, encodeURIComponent)})`
}

/** AsciiDoc gives the type of a callout only in its icon's title. */
function iconTitle(node: HtmlNode): string | null {
  const title = oneLine(attribute(node, 'title'))
  return title !== '' && /\bicon-/.test(attribute(node, 'class')) ? `**${title}**` : null
}

/** Returns null for text too long for inline code. The caller then descends into it. */
function codeMarkdown(text: string): string | null {
  if (text === '') return ''
  if (text.length >= MAX_INLINE_CODE) return null
  const fence = '`'.repeat(longestRun(text) + 1)
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return fence + pad + text + pad + fence
}

function imageMarkdown({ resolve }: InlineInput, node: HtmlNode): string {
  const drawn = drawnMath(attribute(node, 'src'))
  if (drawn !== null) return drawn
  const alt = oneLine(attribute(node, 'alt')).replaceAll(/[[\]]/g, '')
  if (alt === '') return ''
  const source = attribute(node, 'src')
  const url = resolve((source === '' || source.startsWith('data:') ? attribute(node, 'data-src') : source).trim())
  return url === null ? alt : `![${alt}](${url})`
}

/** Writes a footnote reference in Markdown form, so that `text<sup>2</sup>` does not become one word. */
function footnoteReference(node: HtmlNode): string | null {
  const text = lineOf(node).replace(/^\[(.*)\]$/, '$1')
  const before = node.tree[node.index - 1]
  const refers =
    /note|ref|cite|aside/i.test(attribute(node, 'class') + attribute(node, 'id')) ||
    node.tree[node.index + 1]?.tag === 'a' ||
    // A superscript number after punctuation is not an exponent.
    (before?.tag === '' && /\p{L}[.,;:!?)"'”’]+$/u.test(before.text.slice(-20)))
  return refers && /^(?:\d{1,3}|\*{1,3}|[a-z†‡])$/.test(text) ? `[^${text}]` : null
}

/** Attributes with the TeX source in the output of renderers. */
const SOURCES = ['data-math', 'data-latex', 'data-tex', 'data-entry']

function isMath(node: HtmlNode): boolean {
  return node.tag === 'math' || (node.tag === 'span' && SOURCES.some((name) => node.attribs[name] !== undefined))
}

/** Renders a formula as TeX between dollar signs if the page contains it, otherwise as the text of its symbols. */
function mathText(node: HtmlNode): string {
  const source = findInside(node, (one) => one.tag === 'annotation' && /tex/i.test(attribute(one, 'encoding')))
  const given = SOURCES.map((name) => attribute(node, name)).find((text) => text !== '')
  const tex = oneLine(given ?? (source ? textOf(source) : attribute(node, 'alttext')))
  if (tex === '') return lineOf(node)
  const mark = attribute(node, 'display') === 'block' ? '$$' : '$'
  return mark + tex + mark
}

/** Services that render a formula from TeX in the image URL. */
const DRAWN =
  /^https?:\/\/(?:latex\.codecogs\.com\/[\w.]+(?:\.latex|\.image)?\?|math\.vercel\.app\/?\?(?:.*&)?from=|chart\.(?:apis\.google|googleapis)\.com\/chart\?(?:.*&)?chl=|render\.githubusercontent\.com\/render\/math\?(?:.*&)?math=|i\.upmath\.me\/(?:svg|png)\/|latex\.codecogs\.com\/(?:svg|png|gif)\.\w+\/)([^&]+)/

/** Returns the TeX of such an image between dollar signs, or null for any other image. */
function drawnMath(source: string): string | null {
  const encoded = DRAWN.exec(source)?.[1]
  if (encoded === undefined) return null
  try {
    const tex = oneLine(decodeURIComponent(encoded.replaceAll('+', '%20')))
    const formula = tex.replace(/^\\(?:inline|large|dpi\{\d+\})\s*/, '')
    return formula === '' ? null : `$${formula}$`
  } catch {
    // Invalid URL encoding, so not a formula either.
    return null
  }
}
