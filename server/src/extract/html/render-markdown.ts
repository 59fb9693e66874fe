import { BLOCK_TAGS, attribute, type HtmlNode, textOf, createOpenElements } from './html-tree.ts'
import {
  enclosingSignatures,
  followsSignature,
  holdsHeading,
  isCalloutHeading,
  isSignature,
  isSignatureList,
  isTitle,
  isDeclaredHeading,
  memberRow,
  onOneLine,
} from './section-markup.ts'
import { codeLanguage, isPlainText, guessLanguage } from './code-language.ts'
import { codeText, isBareCode } from './code-text.ts'
import type { Block } from '#documents/model/document.ts'
import { createAnchorPlaces, headingAnchor } from './anchors.ts'
import { SLICE } from '#lib/text/in-slices.ts'
import { InlineText, createLinePrefix, MarkdownWriter } from './markdown-writer.ts'
import { isBold, type NamedBlock, namedBlock } from './named-block.ts'
import {
  createNamedDefinitions,
  isIndented,
  sharedTerms,
  createQuestionLists,
  summaryQuestion,
} from './named-definitions.ts'
import { type ManualPart, manualParts } from '../manual-page.ts'
import { isNoiseLine } from './generator-noise.ts'
import { oneLine } from '#lib/text/one-line.ts'
import { holdsParameters, isBoxTable, isPair } from './table-shape.ts'
import { inlineMarkdown, renderInline } from './render-inline.ts'
import { pair, table, type RenderInput, type Rendering, escapeStart, flush } from './render-table.ts'

export type Rendered = { markdown: string; blocks: Block[] }

/** Name, type and flags of a parameter, which themes split into boxes in one row. */
const ONE_ROW = /(?:^|\s)(?:param-head|field-head)(?:\s|$)/

/** Upper bound in UTF-16 units: a book of 3,000 pages. Larger texts are data dumps and would fill the index. */
export const MAX_MARKDOWN = 8 << 20

/** A longer heading is prose in large letters. */
const MAX_HEADING = 1_000

/**
 * Renders the undropped part of `[start, end)` as Markdown with its blocks. The result exceeds MAX_MARKDOWN if the text
 * does.
 */
export function renderMarkdown(input: RenderInput, start: number, end: number): Rendered {
  const prefix = createLinePrefix()
  const context: Rendering = {
    ...input,
    prefix,
    out: new MarkdownWriter(prefix),
    inline: new InlineText(),
    open: createOpenElements(),
    layoutLists: new Set(),
    itemRows: new Map(),
    termEnd: 0,
    isNamed: createNamedDefinitions(input.tree),
    placeOf: createAnchorPlaces(input.tree),
    isQuestionList: createQuestionLists(input.tree, isBold),
    bold: 0,
    namedEnd: 0,
  }
  for (let i = start; i < end && context.out.length <= MAX_MARKDOWN;) {
    context.open.closeUpTo(i)
    const node = input.tree[i]
    if (node === undefined) break
    if (node.dropped) i = node.end
    else if (BLOCK_TAGS.has(node.tag) || context.labels.has(i)) i = renderBlock(context, i, node)
    else {
      if (context.inline.length > SLICE || (node.tag === 'br' && context.inline.brokenOff)) flush(context)
      i = renderInline(input, context.inline, i, context.open)
    }
  }
  context.open.closeUpTo(Number.POSITIVE_INFINITY)
  flush(context)
  return context.out.finish()
}

/** Writes one block, or opens it. Returns the index of the next node. */
function renderBlock(context: Rendering, index: number, node: HtmlNode): number {
  flush(context)
  const label = context.labels.get(index)
  if (label !== undefined && label !== '') context.out.paragraph(`**${label}**`)
  const { tag } = node
  if (tag === 'pre' || isBareCode(context.tree, index, node)) return codeBlock(context, index, node)
  const named = index < context.namedEnd ? null : namedBlock(context, index, node)
  if (named !== null && nameBlock(context, { index, node }, named)) return named.end
  if (tag === 'table' || isBoxTable(node)) return table(context, index, node)
  if (tag === 'tr' && isPair(context.tree, index, node)) return pair(context, index, node)
  if (tag.length === 2 && tag.startsWith('h') && tag !== 'hr') return heading(context, index, node)
  if (tag === 'dt' && isSignature(node)) return signature(context, index, node)
  if (tag === 'dt' && context.isNamed(node.parent)) return namedTerm(context, index, node)
  if (tag === 'summary' && question(context, index, node)) return node.end
  if (tag === 'tr') {
    const member = memberRow(context.tree, index, node)
    if (member !== null) {
      if (member !== '') context.out.paragraph(`\`${member}\``)
      return node.end
    }
  }
  if (tag === 'div' && ONE_ROW.test(attribute(node, 'class'))) {
    context.out.paragraph(inlineMarkdown(context, index + 1, node.end).replaceAll(/\s+/g, ' '))
    return node.end
  }
  openBlock(context, index, node)
  return index + 1
}

/**
 * Writes the name of a block as a heading, and opens the block for the text after the name. Returns false if the block
 * is still to be written, because the name is in its table.
 */
function nameBlock(context: Rendering, { index, node }: { index: number; node: HtmlNode }, named: NamedBlock): boolean {
  context.out.signature(Math.min(6, context.out.headingLevel + 1), named.text, named.anchor)
  context.bold = 1
  if (named.end <= index) context.namedEnd = node.end
  else if (named.end < node.end) openBlock(context, index, node)
  return named.end > index
}

/** Writes a `summary` that asks a question as a heading, up to the end of its `details`. */
function question(context: Rendering, index: number, node: HtmlNode): boolean {
  const asked = isIndented(context.tree, node) ? null : summaryQuestion(context.tree, index, node)
  if (asked === null) return false
  const { out, open } = context
  const level = out.headingLevel + definitionDepth(context, node.parent)
  out.signature(Math.min(6, level + 1), asked.text, asked.anchor)
  open.push(context.tree[node.parent]?.end ?? node.end, () => {
    flush(context)
    out.resume(level)
  })
  return true
}

/** Opens a container and registers its end, where the paragraph ends, too. */
function openBlock(context: Rendering, index: number, node: HtmlNode): void {
  const { prefix, inline, open, layoutLists } = context
  const closing = (close?: () => void) =>
    open.push(node.end, () => {
      flush(context)
      close?.()
    })
  const bold = () => {
    inline.openMark('**')
    open.push(node.end, () => {
      inline.closeMark('**')
      flush(context)
    })
  }
  switch (node.tag) {
    case 'ul':
    case 'ol':
    case 'menu':
      if (holdsHeading(context.tree, index, node)) {
        layoutLists.add(index)
        return closing()
      }
      prefix.openList(node.tag === 'ol', Number.parseInt(attribute(node, 'start'), 10) || 1)
      return closing(() => prefix.closeList())
    case 'li':
      if (layoutLists.has(node.parent)) return closing()
      prefix.openItem()
      return closing(() => prefix.closeItem())
    case 'blockquote':
      prefix.openQuote()
      return closing(() => prefix.closeQuote())
    case 'tr':
      if (!context.itemRows.has(index)) return closing()
      if (context.itemRows.get(index) === true) prefix.openList(false, 1)
      prefix.openItem()
      return closing(() => prefix.closeItem())
    case 'dl':
      if (!isSignatureList(node) && !context.isNamed(index)) return closing()
      return closing(() => context.out.resume(context.out.headingLevel + definitionDepth(context, node.parent)))
    case 'dt':
      prefix.openTerm()
      context.termEnd = node.end
      return bold()
    case 'dd':
      if (
        followsSignature(context.tree, index) ||
        context.isNamed(node.parent) ||
        holdsParameters(context.tree, index, node)
      )
        return closing()
      prefix.openDefinition()
      return closing(() => prefix.closeItem())
    case 'summary':
    case 'legend':
      return bold()
    default:
      return isTitle(context.tree, node) ? bold() : closing()
  }
}

function heading(context: Rendering, index: number, node: HtmlNode): number {
  if (textOf(context.tree, index + 1, node.end, MAX_HEADING).length >= MAX_HEADING) {
    context.open.push(node.end, () => flush(context))
    return index + 1
  }
  if (isDeclaredHeading(node)) {
    const declared = onOneLine(textOf(context.tree, index + 1, node.end))
    if (declared !== '') context.out.declaration(Number(node.tag[1]), declared, headingAnchor(context.tree, index))
    return node.end
  }
  const text = inlineMarkdown(context, index + 1, node.end).replaceAll('\n', ' ')
  if (text !== '' && isCalloutHeading(context.tree, node)) context.out.paragraph(`**${text}**`)
  else if (text !== '' && !isNoiseLine(text)) {
    context.out.heading(Number(node.tag[1]), text, headingAnchor(context.tree, index))
    context.bold = 0
  }
  return node.end
}

/** Writes a named definition as a heading, below its enclosing definitions. */
function namedTerm(context: Rendering, index: number, node: HtmlNode): number {
  const { text, anchor, end } = sharedTerms(context.tree, index)
  const depth = definitionDepth(context, context.tree[node.parent]?.parent ?? -1)
  if (text !== '') context.out.signature(Math.min(6, context.out.headingLevel + 1 + depth), text, anchor)
  return end
}

/** Counts the enclosing definition lists with headings. */
function definitionDepth({ tree, isNamed, bold }: Rendering, from: number): number {
  let depth: number = bold
  for (let at = from; at >= 0; at = tree[at]?.parent ?? -1) {
    const node = tree[at]
    if (node?.tag === 'dl' && (isSignatureList(node) || isNamed(at))) depth++
  }
  return depth
}

/** Writes an API definition as a section: its signature is the heading and has the anchor. */
function signature(context: Rendering, index: number, node: HtmlNode): number {
  const text = oneLine(textOf(context.tree, index + 1, node.end))
  const level = Math.min(6, context.out.headingLevel + 1 + enclosingSignatures(context.tree, index))
  if (text !== '') context.out.declaration(level, text, attribute(node, 'id') || null)
  return node.end
}

function codeBlock(context: Rendering, index: number, node: HtmlNode): number {
  const code = codeText(context.tree, index)
  const { tree, out } = context
  const named = codeLanguage(tree, index)
  const manual = manualParts(code)
  if (manual !== null) manualPage(context, manual)
  else if (code.trim() !== '') out.code(code, named ?? (isPlainText(tree, index) ? null : guessLanguage(code)))
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
