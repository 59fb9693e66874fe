import type { Block } from '#documents/model/document.ts'
import { elementAt } from '#lib/arrays.ts'
import { SLICE } from '#lib/text/in-slices.ts'
import { type ManualPart, manualParts } from '../manual-page.ts'
import { createAnchorPlaces, headingAnchor } from './anchors.ts'
import { codeLanguage, guessLanguage, isPlainText } from './code-language.ts'
import { codeText, isBareCode } from './code-text.ts'
import {
  attribute,
  BLOCK_TAGS,
  createOpenElements,
  findInside,
  hasClass,
  type HtmlNode,
  isHeading,
  lineOf,
  textOf,
} from './html-tree.ts'
import { createLinePrefix, InlineText, MarkdownWriter } from './markdown-writer.ts'
import {
  holdsQuestions,
  isIndented,
  type NamedBlock,
  namedBlock,
  namesSections,
  sharedTerms,
  summaryQuestion,
} from './named-sections.ts'
import { inlineLine, inlineMarkdown, renderInline } from './render-inline.ts'
import {
  escapeStart,
  flush,
  holdsParameters,
  isBoxTable,
  isPair,
  pair,
  type RenderInput,
  type Rendering,
  table,
} from './render-table.ts'
import {
  enclosingSignatures,
  isCalloutHeading,
  isSignatureList,
  isTitle,
  memberRow,
  onOneLine,
} from './section-markup.ts'
import { isNoiseLine } from './trim-page.ts'

export type Rendered = { markdown: string; blocks: Block[] }

/** Upper bound in UTF-16 units: a book of 3,000 pages. Larger texts are data dumps and would fill the index. */
export const MAX_MARKDOWN = 8 << 20

/** A longer heading is prose in large letters. */
const MAX_HEADING = 1_000
/** Headings that are code and declare the symbol documented below them, in rustdoc and QDoc. */
const DECLARED = new Set(['code-header', 'fqn', 'fn'])

/**
 * Renders the undropped part of the region as Markdown with its blocks. The result exceeds MAX_MARKDOWN if the text
 * does.
 */
export function renderMarkdown(input: RenderInput, region: HtmlNode): Rendered {
  const { tree, index, end } = region
  const prefix = createLinePrefix()
  const context: Rendering = {
    ...input,
    prefix,
    out: new MarkdownWriter(prefix),
    inline: new InlineText(),
    open: createOpenElements(),
    layoutLists: new Set(),
    itemRows: new Map(),
    isTerm: false,
    isNamed: rememberByNode(namesSections),
    placeOf: createAnchorPlaces(tree),
    isQuestionList: rememberByNode(holdsQuestions),
    bold: 0,
    namedEnd: 0,
  }
  for (let i = index + 1; i < end && context.out.length <= MAX_MARKDOWN;) {
    context.open.closeUpTo(i)
    const node = elementAt(tree, i)
    if (node.dropped) i = node.end
    else if (BLOCK_TAGS.has(node.tag) || context.labels.has(node)) i = renderBlock(context, node)
    else {
      if (context.inline.length > SLICE || (node.tag === 'br' && context.inline.brokenOff)) flush(context)
      i = renderInline(input, context.inline, node, context.open)
    }
  }
  context.open.closeUpTo(Number.POSITIVE_INFINITY)
  flush(context)
  return context.out.finish()
}

function rememberByNode(test: (node: HtmlNode) => boolean): (node: HtmlNode | null) => boolean {
  const known = new Map<HtmlNode, boolean>()
  return (node) => {
    if (node === null) return false
    let result = known.get(node)
    if (result === undefined) known.set(node, (result = test(node)))
    return result
  }
}

/** Writes one block, or opens it. Returns the index of the next node. */
function renderBlock(context: Rendering, node: HtmlNode): number {
  flush(context)
  const { tag, index, end } = node
  const { out } = context
  const label = context.labels.get(node)
  if (label !== undefined && label !== '') out.paragraph(`**${label}**`)
  if (tag === 'pre' || isBareCode(node)) return codeBlock(context, node)
  const named = context.marksHeadings || index < context.namedEnd ? null : namedBlock(context, node)
  if (named !== null && nameBlock(context, node, named)) return named.end
  if (tag === 'table' || isBoxTable(node)) return table(context, node)
  if (tag === 'tr' && isPair(node)) return pair(context, node)
  if (isHeading(node)) return heading(context, node)
  if (tag === 'dt' && node.classes.has('sig')) {
    const level = out.headingLevel + 1 + enclosingSignatures(node)
    out.signature(level, lineOf(node), attribute(node, 'id') || null, { declares: true })
    return end
  }
  if (tag === 'dt' && context.isNamed(node.parent)) return namedTerm(context, node)
  if (tag === 'summary' && question(context, node)) return end
  const member = tag === 'tr' ? memberRow(node) : null
  if (member !== null) {
    if (member !== '') out.paragraph(`\`${member}\``)
    return end
  }
  // Name, type and flags of a parameter, which themes split into boxes in one row.
  if (tag === 'div' && (node.classes.has('param-head') || node.classes.has('field-head'))) {
    out.paragraph(inlineLine(context, node))
    return end
  }
  openBlock(context, node)
  return index + 1
}

/**
 * Writes the name of a block as a heading, and opens the block for the text after the name. Returns false if the block
 * is still to be written, because the name is in its table.
 */
function nameBlock(context: Rendering, { index, end }: HtmlNode, named: NamedBlock): boolean {
  context.out.signature(context.out.headingLevel + 1, named.text, named.anchor)
  context.bold = 1
  if (named.end <= index) context.namedEnd = end
  else if (named.end < end) closing(context, end)
  return named.end > index
}

/** Writes a `summary` that asks a question as a heading, up to the end of its `details`. */
function question(context: Rendering, summary: HtmlNode): boolean {
  const asked = isIndented(summary) ? null : summaryQuestion(summary)
  if (asked === null) return false
  const { out } = context
  const level = out.headingLevel + definitionDepth(context, summary.parent)
  out.signature(level + 1, asked.text, asked.anchor)
  closing(context, summary.parent?.end ?? summary.end, () => out.resume(level))
  return true
}

function closing(context: Rendering, end: number, close?: () => void): void {
  context.open.push(end, () => {
    flush(context)
    close?.()
  })
}

function emphasise(context: Rendering, end: number): void {
  context.inline.openMark('**')
  context.open.push(end, () => {
    context.inline.closeMark('**')
    flush(context)
  })
}

function openBlock(context: Rendering, node: HtmlNode): void {
  const { prefix, out, layoutLists, itemRows } = context
  const { tag, parent, end } = node
  switch (tag) {
    case 'ul':
    case 'ol':
    case 'menu':
      if (findInside(node, (inner) => !inner.dropped && /^h[1-4]$/.test(inner.tag)) === undefined) {
        prefix.openList(tag === 'ol', Number.parseInt(attribute(node, 'start'), 10) || 1)
        return closing(context, end, () => prefix.closeList())
      }
      // A list of whole sections is layout.
      layoutLists.add(node)
      break
    case 'li':
      if (layoutLists.has(parent)) break
      prefix.openItem()
      return closing(context, end, () => prefix.mark(null))
    case 'blockquote':
      prefix.openQuote()
      return closing(context, end, () => prefix.closeQuote())
    case 'tr':
      if (!itemRows.has(node)) break
      if (itemRows.get(node) === true) prefix.openList(false, 1)
      prefix.openItem()
      return closing(context, end, () => prefix.mark(null))
    case 'dl':
      if (!isSignatureList(node) && !context.isNamed(node)) break
      return closing(context, end, () => out.resume(out.headingLevel + definitionDepth(context, parent)))
    case 'dt':
      prefix.mark('')
      context.isTerm = true
      return emphasise(context, end)
    case 'dd':
      if (isSignatureList(parent) || context.isNamed(parent) || holdsParameters(node)) break
      prefix.mark(': ')
      return closing(context, end, () => prefix.mark(null))
    case 'summary':
    case 'legend':
      return emphasise(context, end)
    default:
      if (isTitle(node)) return emphasise(context, end)
  }
  closing(context, end)
}

function heading(context: Rendering, node: HtmlNode): number {
  const { out } = context
  if (textOf(node, MAX_HEADING).length >= MAX_HEADING) {
    closing(context, node.end)
    return node.index + 1
  }
  const level = Number(node.tag[1])
  if (hasClass(node, DECLARED)) {
    out.signature(level, onOneLine(textOf(node)), headingAnchor(node), { declares: true })
    return node.end
  }
  const text = inlineMarkdown(context, node).replaceAll('\n', ' ')
  if (text !== '' && isCalloutHeading(node)) out.paragraph(`**${text}**`)
  else if (text !== '' && !isNoiseLine(text)) {
    out.heading(level, text, headingAnchor(node))
    context.bold = 0
  }
  return node.end
}

function namedTerm(context: Rendering, term: HtmlNode): number {
  const { text, anchor, end } = sharedTerms(term)
  const depth = definitionDepth(context, term.parent?.parent ?? null)
  context.out.signature(context.out.headingLevel + 1 + depth, text, anchor)
  return end
}

function definitionDepth({ isNamed, bold }: Rendering, from: HtmlNode | null): number {
  let depth: number = bold
  for (let node = from; node !== null; node = node.parent)
    if (node.tag === 'dl' && (isSignatureList(node) || isNamed(node))) depth++
  return depth
}

function codeBlock(context: Rendering, node: HtmlNode): number {
  const code = codeText(node)
  const manual = manualParts(code)
  if (manual !== null) manualPage(context, manual)
  else if (code.trim() !== '')
    context.out.code(code, codeLanguage(node) ?? (isPlainText(node) ? null : guessLanguage(code)))
  return node.end
}

/** Writes the sections of a manual page below the heading before it, and its terms as headings of their own. */
function manualPage({ out }: Rendering, parts: readonly ManualPart[]): void {
  const top = Math.max(1, Math.min(3, out.headingLevel))
  let level = top
  for (const part of parts) {
    if (part.kind === 'heading') out.heading((level = top + part.level), part.text, null)
    else if (part.kind === 'term') out.signature(level + 1, part.text, null)
    else if (part.kind === 'end') out.resume(level)
    else if (part.kind === 'code') out.code(part.text, null)
    else out.paragraph(part.kind === 'item' ? `- ${part.text}` : escapeStart(part.text))
  }
}
