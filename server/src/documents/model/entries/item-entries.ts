import type { Block, Entry, Span } from '../document.ts'
import { itemsOf, linesOf } from '../read-block.ts'
import { labelEntry } from './label.ts'

/** A label at the start of an item or a line: `**name**`, `__name__` or code. */
const MARKS = ['**', '__', '`'] as const
/** What follows the label of a paragraph: `**Lid**: …`, `**Lid** – …`. */
const SEPARATOR = /^(?: \([^()\n]{0,80}\))?[ \t]{0,2}[:：–—-][ \t]{0,4}\S/

/** Items of a list, and lines of a paragraph, that begin with a name as code or in bold. */
export function itemEntries(text: string, block: Block): Entry[] {
  const own = text.slice(block.start, block.end)
  if (!MARKS.some((mark) => own.includes(mark))) return []
  return block.kind === 'list' ? ofList(text, block) : ofLines(text, block)
}

function ofList(text: string, block: Span): Entry[] {
  return itemsOf(text, block).flatMap(({ start, end, body }) => {
    const label = labelAt(text, body, end)
    const isDescribed = label !== null && text.slice(label.end, end).trim().length > 1
    return isDescribed ? (labelEntry(text, { start, end }, label) ?? []) : []
  })
}

function ofLines(text: string, block: Span): Entry[] {
  const labels: Span[] = []
  for (const { start, end } of linesOf(text, block)) {
    const label = labelAt(text, start, end)
    if (label !== null && isSeparated(text, label, end)) labels.push(label)
  }
  return labels.flatMap((label, at) => {
    const end = labels[at + 1] === undefined ? block.end : (labels[at + 1]?.start ?? 0) - 1
    return labelEntry(text, { start: label.start, end }, label) ?? []
  })
}

/** The colon can be inside: `**Lid:** what it does`. */
function isSeparated(text: string, { start, end }: Span, lineEnd: number): boolean {
  const rest = text.slice(end, Math.min(lineEnd, end + 100))
  return SEPARATOR.test(rest) || (/[:：]\*\*$/.test(text.slice(start, end)) && rest.trim() !== '')
}

/** The label that begins at an offset, with its marks, or null. */
function labelAt(text: string, at: number, end: number): Span | null {
  const mark = MARKS.find((each) => text.startsWith(each, at))
  if (mark === undefined) return null
  const close = text.indexOf(mark, at + mark.length)
  return close < 0 || close + mark.length > end ? null : { start: at, end: close + mark.length }
}
