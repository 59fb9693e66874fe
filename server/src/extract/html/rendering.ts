import type { AnchorPlaces } from './anchors.ts'
import type { InlineText } from './inline-text.ts'
import type { LinePrefix } from './line-prefix.ts'
import type { MarkdownWriter } from './markdown-writer.ts'
import type { NamedDefinitions } from './named-definitions.ts'
import type { QuestionLists } from './questions.ts'
import { isNoiseLine } from './noise-lines.ts'
import type { OpenElements } from './open-elements.ts'
import type { InlineInput } from './render-inline.ts'

export type RenderInput = InlineInput & {
  /** Tab labels by the index of the element below them. */
  labels: Map<number, string>
}

/** State of one pass over a tree. */
export type Rendering = RenderInput & {
  prefix: LinePrefix
  out: MarkdownWriter
  inline: InlineText
  open: OpenElements
  /** Lists used for layout. Their items have neither marker nor indent. */
  layoutLists: Set<number>
  /** Rows of single-column tables, rendered as list items. The value is true for the first row. */
  itemRows: Map<number, boolean>
  /** End index of the current term. A term may consist of symbols alone. */
  termEnd: number
  isNamed: NamedDefinitions
  placeOf: AnchorPlaces
  /** Whether paragraphs in a parent are a list of questions, each a heading. */
  isQuestionList: QuestionLists
  /** 1 below a bold paragraph that is a heading, else 0. Definitions there belong to that heading. */
  bold: 0 | 1
  /** End index of the block with the table that repeats its name. */
  namedEnd: number
}

/** A paragraph of symbols alone is an icon or an ornament. */
const HAS_TEXT = /[\p{L}\p{N}]/u

/** Writes the paragraph collected so far. */
export function flush(context: Rendering): void {
  const text = context.inline.take()
  const isTerm = context.termEnd > 0 && text !== ''
  context.termEnd = 0
  if (isTerm || (HAS_TEXT.test(text) && !isNoiseLine(text))) context.out.paragraph(escapeStart(text))
}

/** Escapes prose that reads like a heading or a fence. Other syntax in prose is harmless. */
export function escapeStart(text: string): string {
  return /^(?:#{1,6}\s|```|~~~)/m.test(text) ? text.replace(/^(?=#{1,6}\s|```|~~~)/gm, '\\') : text
}
