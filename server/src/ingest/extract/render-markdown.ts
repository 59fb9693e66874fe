import { codeLanguage, codeText, isBareCode } from './code-text.ts'
import type { Block } from './extracted-page.ts'
import { headingAnchor } from './heading-anchor.ts'
import { attribute, type HtmlNode, type HtmlTree, textOf } from './html-tree.ts'
import { createInlineText, type InlineText } from './inline-text.ts'
import { createMarkdownWriter, longestRun, type MarkdownWriter } from './markdown-writer.ts'
import { isMath, mathText } from './math-text.ts'
import { isNoiseLine } from './noise-lines.ts'
import { oneLine } from './one-line.ts'
import { tableShape } from './render-table.ts'
import { resolveLink } from './resolve-link.ts'

export type Rendered = { markdown: string; blocks: Block[] }

/** Everything a handler of one element needs; one object per page. */
type Rendering = { tree: HtmlTree; base: string; page: string; out: MarkdownWriter; inline: InlineText }

/** An element whose end must be noticed. */
type Open = { end: number; close: () => void }

const BLOCK_TAGS = new Set(
  'address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol option optgroup p pre search section summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
)

const MARKS = new Map([
  ['strong', '**'],
  ['b', '**'],
  ['em', '*'],
  ['i', '*'],
  ['del', '~~'],
  ['s', '~~'],
])

/** The undropped part of `[start, end)` as Markdown. `page` is the page's own address: links into it lose their brackets. */
export function renderMarkdown(
  tree: HtmlTree,
  start: number,
  end: number,
  links: { base: string; page: string },
): Rendered {
  const context: Rendering = { tree, ...links, out: createMarkdownWriter(), inline: createInlineText() }
  walk(context, start, end)
  return context.out.finish()
}

/** Visits a slice in order; `open` holds what has to be closed on the way, innermost last. */
function walk(context: Rendering, start: number, end: number): void {
  const open: Open[] = []
  for (let i = start; i < end;) {
    closeUpTo(open, i)
    const node = context.tree[i]
    if (node === undefined) break
    if (node.dropped) i = node.end
    else if (node.tag === '') {
      context.inline.add(node.text)
      i++
    } else i = element(context, i, node, open)
  }
  closeUpTo(open, Number.POSITIVE_INFINITY)
  flush(context)
}

function closeUpTo(open: Open[], index: number): void {
  for (let last = open.at(-1); last !== undefined && last.end <= index; last = open.at(-1)) {
    open.pop()
    last.close()
  }
}

/** Writes one element, or opens it; returns the index to go on from. */
function element(context: Rendering, index: number, node: HtmlNode, open: Open[]): number {
  const { tag } = node
  if (!BLOCK_TAGS.has(tag)) return inlineElement(context, index, node, open)
  flush(context)
  if (tag === 'pre' || isBareCode(context.tree, index, node)) return codeBlock(context, index, node)
  if (tag === 'table') return table(context, index, node, open)
  if (/^h[1-6]$/.test(tag)) return heading(context, index, node)
  const close = openBlock(context, node)
  open.push({ end: node.end, close })
  return index + 1
}

/** Opens a container; what is returned closes it. */
function openBlock(context: Rendering, node: HtmlNode): () => void {
  const { out } = context
  const flushed = (then?: () => void) => () => {
    flush(context)
    then?.()
  }
  switch (node.tag) {
    case 'ul':
    case 'ol':
    case 'menu':
      out.openList(node.tag === 'ol', Number.parseInt(attribute(node, 'start'), 10) || 1)
      return flushed(() => out.closeList())
    case 'li':
      out.openItem()
      return flushed(() => out.closeItem())
    case 'blockquote':
      out.openQuote()
      return flushed(() => out.closeQuote())
    case 'dt':
      out.openTerm()
      return emphasised(context)
    case 'summary':
    case 'legend':
      return emphasised(context)
    case 'dd':
      out.openDefinition()
      return flushed(() => out.closeItem())
    default:
      return flushed()
  }
}

/** A line of its own in bold. */
function emphasised(context: Rendering): () => void {
  context.inline.openMark('**')
  return () => {
    context.inline.closeMark('**')
    flush(context)
  }
}

/** Ends the paragraph; two line breaks in a row divide it. */
function flush({ inline, out }: Rendering): void {
  const text = inline.take()
  if (text === '') return
  for (const paragraph of text.split(/\n\s*\n/)) {
    const trimmed = paragraph.trim()
    if (trimmed !== '' && !isNoiseLine(trimmed)) out.paragraph(escapeStart(trimmed))
  }
}

/** Prose that would be read as a heading, a fence or a list is marked as prose. Other syntax in prose does no harm. */
function escapeStart(text: string): string {
  return /^(?:#{1,6}\s|```|~~~)/m.test(text) ? text.replace(/^(?=#{1,6}\s|```|~~~)/gm, '\\') : text
}

function heading(context: Rendering, index: number, node: HtmlNode): number {
  const inline = createInlineText()
  const text = inlineOf({ ...context, inline }, index + 1, node.end).replaceAll('\n', ' ')
  if (text !== '') context.out.heading(Number(node.tag[1]), text, headingAnchor(context.tree, index))
  return node.end
}

function codeBlock(context: Rendering, index: number, node: HtmlNode): number {
  const code = codeText(context.tree, index)
  if (code.trim() !== '') context.out.code(code, codeLanguage(context.tree, index))
  return node.end
}

function table(context: Rendering, index: number, node: HtmlNode, open: Open[]): number {
  const shape = tableShape(context.tree, index)
  if (shape === null) {
    open.push({ end: node.end, close: () => flush(context) })
    return index + 1
  }
  const inner = (cell: { start: number; end: number }) =>
    inlineOf({ ...context, inline: createInlineText() }, cell.start, cell.end).replaceAll(/\s*\n\s*/g, ' ')
  const caption = shape.caption === null ? '' : inner(shape.caption)
  if (caption !== '') context.out.paragraph(caption)
  const rows = shape.rows.map((row) => row.map(inner)).filter((row) => row.some((cell) => cell !== ''))
  if (rows.length > 0) context.out.table(rows)
  return node.end
}

/** A slice as one line of inline Markdown; blocks in it are set apart by a blank. */
function inlineOf(context: Rendering, start: number, end: number): string {
  const open: Open[] = []
  for (let i = start; i < end;) {
    closeUpTo(open, i)
    const node = context.tree[i]
    if (node === undefined) break
    if (node.dropped) i = node.end
    else if (node.tag === '') {
      context.inline.add(node.text)
      i++
    } else if (BLOCK_TAGS.has(node.tag)) {
      context.inline.add(' ')
      open.push({ end: node.end, close: () => context.inline.add(' ') })
      i++
    } else i = inlineElement(context, i, node, open)
  }
  closeUpTo(open, Number.POSITIVE_INFINITY)
  return context.inline.take()
}

function inlineElement(context: Rendering, index: number, node: HtmlNode, open: Open[]): number {
  const { inline } = context
  if (isMath(node)) {
    inline.addMarkdown(mathText(context.tree, index))
    return node.end
  }
  switch (node.tag) {
    case 'br':
      inline.lineBreak()
      return node.end
    case 'wbr':
      return node.end
    case 'img':
      image(context, node)
      return node.end
    case 'code':
    case 'kbd':
    case 'samp':
    case 'tt':
    case 'var':
      return inlineCode(context, index, node)
    case 'sup':
      return superscript(context, index, node)
    case 'a':
      return link(context, index, node, open)
    default: {
      const mark = MARKS.get(node.tag)
      if (mark !== undefined && !holdsBlock(context.tree, index, node)) {
        inline.openMark(mark)
        open.push({ end: node.end, close: () => inline.closeMark(mark) })
      }
      return index + 1
    }
  }
}

/** References to footnotes in their Markdown form, so that `text<sup>2</sup>` is not read as one word. */
function superscript({ tree, inline }: Rendering, index: number, node: HtmlNode): number {
  const text = oneLine(textOf(tree, index + 1, node.end)).replace(/^\[(.*)\]$/, '$1')
  const refers =
    tree[index + 1]?.tag === 'a' || /note|ref|cite|aside/i.test(attribute(node, 'class') + attribute(node, 'id'))
  if (!refers || !/^(?:\d{1,3}|\*+|[a-z†‡])$/.test(text)) return index + 1
  inline.addMarkdown(`[^${text}]`)
  return node.end
}

function inlineCode({ tree, inline }: Rendering, index: number, node: HtmlNode): number {
  const text = oneLine(textOf(tree, index + 1, node.end))
  if (text === '') return node.end
  const fence = '`'.repeat(longestRun(text) + 1)
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  inline.addMarkdown(`${fence}${pad}${text}${pad}${fence}`)
  return node.end
}

function link(context: Rendering, index: number, node: HtmlNode, open: Open[]): number {
  const href = attribute(node, 'href').trim()
  const url = resolveLink(href, context.base)
  const hash = /#[^#\s]+$/.exec(href)?.[0] ?? ''
  if (url === null || url === context.page || holdsBlock(context.tree, index, node)) return index + 1
  context.inline.openMark('[')
  open.push({ end: node.end, close: () => context.inline.closeMark(`](${url}${hash})`) })
  return index + 1
}

function image({ inline, base }: Rendering, node: HtmlNode): void {
  const alt = oneLine(attribute(node, 'alt'))
  if (alt === '') return
  const source = attribute(node, 'src').startsWith('data:') ? '' : attribute(node, 'src') || attribute(node, 'data-src')
  const url = resolveLink(source.trim(), base)
  inline.addMarkdown(url === null ? alt : `![${alt.replaceAll(/[[\]]/g, '')}](${url})`)
}

function holdsBlock(tree: HtmlTree, index: number, node: HtmlNode): boolean {
  for (let i = index + 1; i < node.end; i++) {
    const inner = tree[i]
    if (inner !== undefined && inner.tag !== '' && BLOCK_TAGS.has(inner.tag)) return true
  }
  return false
}
