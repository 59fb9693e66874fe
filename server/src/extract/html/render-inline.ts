import { longestRun } from '#documents/model/markdown-blocks.ts'
import { oneLine } from '#lib/text/one-line.ts'
import {
  BLOCK_TAGS,
  attribute,
  type HtmlNode,
  type HtmlTree,
  textOf,
  createOpenElements,
  type OpenElements,
} from './html-tree.ts'
import { InlineText } from './markdown-writer.ts'
import type { LinkResolver } from '../resolve-link.ts'

export type InlineInput = {
  tree: HtmlTree
  resolve: LinkResolver
  /**
   * URL of the page. Links to it, with or without trailing slash, become plain text. So a page with both URLs has the
   * same text at both.
   */
  page: string
}

const MAX_INLINE_CODE = 4_000

const MARKS = new Map([
  ['strong', '**'],
  ['b', '**'],
  ['em', '*'],
  ['i', '*'],
  ['del', '~~'],
  ['s', '~~'],
])

/** Name, type and flags of a property. Docusaurus API pages separate them only in the style sheet. */
const SET_APART = /(?:^|\s)openapi-schema__(?!strikethrough)/

/** Renders a slice of the tree as one paragraph of inline Markdown. Separates blocks with a space. */
export function inlineMarkdown(input: InlineInput, start: number, end: number): string {
  const inline = new InlineText()
  const open = createOpenElements()
  for (let i = start; i < end;) {
    open.closeUpTo(i)
    const node = input.tree[i]
    if (node === undefined) break
    if (node.dropped) i = node.end
    else if (BLOCK_TAGS.has(node.tag)) {
      inline.add(' ')
      open.push(node.end, () => inline.add(' '))
      i++
    } else i = renderInline(input, inline, i, open)
  }
  open.closeUpTo(Number.POSITIVE_INFINITY)
  return inline.take()
}

/** Writes the text or inline element at `index`, or opens it. Returns the index of the next node. */
export function renderInline(input: InlineInput, inline: InlineText, index: number, open: OpenElements): number {
  const node = input.tree[index]
  if (node === undefined) return index + 1
  if (node.tag === '') inline.add(node.text)
  else if (node.tag === 'br') inline.lineBreak()
  else {
    const whole = wholeElement(input, index, node)
    if (whole === null) {
      openElement(input, inline, index, open)
      return index + 1
    }
    inline.addMarkdown(whole)
  }
  return node.end
}

/** Returns the Markdown of an element that renders as one unit, or null to descend into it. */
function wholeElement(input: InlineInput, index: number, node: HtmlNode): string | null {
  const { tree } = input
  if (isMath(node)) return mathText(tree, index)
  switch (node.tag) {
    case 'code':
      // Some themes put the `pre` inside the `code` element.
      if (holdsPre(tree, index, node)) return null
      return codeMarkdown(oneLine(textOf(tree, index + 1, node.end, MAX_INLINE_CODE)))
    case 'kbd':
    case 'samp':
    case 'tt':
    case 'var':
      return codeMarkdown(oneLine(textOf(tree, index + 1, node.end, MAX_INLINE_CODE)))
    case 'img':
      return imageMarkdown(input, node)
    case 'sup':
      return footnoteReference(tree, index, node)
    case 'i':
      return iconTitle(node)
    default:
      return null
  }
}

/** Opens a mark or a link and registers its end in `open`. Other elements are transparent. */
function openElement(input: InlineInput, inline: InlineText, index: number, open: OpenElements): void {
  const node = input.tree[index]
  if (node === undefined) return
  if (SET_APART.test(attribute(node, 'class'))) {
    inline.add(' ')
    open.push(node.end, () => inline.add(' '))
  }
  const close = node.tag === 'a' ? linkClosing(input, node) : (MARKS.get(node.tag) ?? null)
  if (close === null || holdsBlock(input.tree, index, node)) return
  inline.openMark(node.tag === 'a' ? '[' : close)
  open.push(node.end, () => inline.closeMark(close))
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
function footnoteReference(tree: HtmlTree, index: number, node: HtmlNode): string | null {
  const text = oneLine(textOf(tree, index + 1, node.end)).replace(/^\[(.*)\]$/, '$1')
  const named = /note|ref|cite|aside/i.test(attribute(node, 'class') + attribute(node, 'id'))
  const refers = named || tree[index + 1]?.tag === 'a' || endsSentence(tree[index - 1])
  return refers && /^(?:\d{1,3}|\*{1,3}|[a-z†‡])$/.test(text) ? `[^${text}]` : null
}

/** Searches only near the start: real pages have no `pre` further in. */
function holdsPre(tree: HtmlTree, index: number, node: HtmlNode): boolean {
  for (let i = index + 1; i < Math.min(node.end, index + 8); i++) if (tree[i]?.tag === 'pre') return true
  return false
}

/** A superscript number after punctuation is not an exponent. */
function endsSentence(before: HtmlNode | undefined): boolean {
  return before?.tag === '' && /\p{L}[.,;:!?)"'”’]+$/u.test(before.text.slice(-20))
}

/** Returns true if the element contains a block. Markdown marks and links cannot span blocks. */
function holdsBlock(tree: HtmlTree, index: number, node: HtmlNode): boolean {
  for (let i = index + 1; i < node.end; i++) {
    const inner = tree[i]
    if (inner !== undefined && inner.tag !== '' && BLOCK_TAGS.has(inner.tag)) return true
  }
  return false
}

/** Attributes with the TeX source in the output of renderers. */
const SOURCES = ['data-math', 'data-latex', 'data-tex', 'data-entry']

/** Returns true if the whole element is a formula. */
function isMath(node: HtmlNode): boolean {
  return node.tag === 'math' || (node.tag === 'span' && SOURCES.some((name) => node.attribs[name] !== undefined))
}

/** Renders a formula as TeX between dollar signs if the page contains it, otherwise as the text of its symbols. */
function mathText(tree: HtmlTree, index: number): string {
  const node = tree[index]
  if (node === undefined) return ''
  const given = SOURCES.map((name) => attribute(node, name)).find((text) => text !== '')
  const tex = given ?? annotation(tree, index, node.end) ?? attribute(node, 'alttext')
  if (tex.trim() === '') return oneLine(textOf(tree, index, node.end))
  const mark = attribute(node, 'display') === 'block' ? '$$' : '$'
  return mark + oneLine(tex) + mark
}

/** Services that render a formula from TeX in the image URL. */
const DRAWN =
  /^https?:\/\/(?:latex\.codecogs\.com\/[\w.]+(?:\.latex|\.image)?\?|math\.vercel\.app\/?\?(?:.*&)?from=|chart\.(?:apis\.google|googleapis)\.com\/chart\?(?:.*&)?chl=|render\.githubusercontent\.com\/render\/math\?(?:.*&)?math=|i\.upmath\.me\/(?:svg|png)\/|latex\.codecogs\.com\/(?:svg|png|gif)\.\w+\/)([^&]+)/

/** Returns the TeX of such an image between dollar signs, or null for any other image. */
function drawnMath(source: string): string | null {
  const encoded = DRAWN.exec(source)?.[1]
  if (encoded === undefined) return null
  try {
    const tex = oneLine(decodeURIComponent(encoded.replaceAll('+', '%20'))).replace(
      /^\\(?:inline|large|dpi\{\d+\})\s*/,
      '',
    )
    return tex === '' ? null : `$${tex}$`
  } catch {
    // Invalid URL encoding, so not a formula either.
    return null
  }
}

function annotation(tree: HtmlTree, start: number, end: number): string | undefined {
  for (let i = start; i < end; i++) {
    const node = tree[i]
    if (node !== undefined && node.tag === 'annotation' && /tex/i.test(attribute(node, 'encoding')))
      return textOf(tree, i, node.end)
  }
  return undefined
}
