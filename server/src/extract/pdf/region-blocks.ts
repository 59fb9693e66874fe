import { findTables } from './page-layout.ts'
import { type PdfBlock, type Segment, joinNeighbours, toRows, type OutlineEntry } from './segments.ts'

const BULLET = /^[•◦▪▫‣●○■□–*·-]\s*(?=\S)/u
const NUMBERED = /^(?:\(?\d{1,3}[.)]|[a-z][.)])\s+(?=\S)/
/** Minimum distance between paragraphs, in font sizes; 1.2 is the usual line pitch. */
const PARAGRAPH_GAP = 1.75
/** Maximum gap between words of one line after column detection, in font sizes. */
const WORDS_GAP = 1

/** `vocabulary` has the words of the document, to decide about hyphens at line ends. */
type Given = { page: number; headings: ReturnType<typeof createHeadingFinder>; vocabulary: ReadonlySet<string> }

type Line = Segment & { isTerm: boolean }

/** Converts one region of a page to blocks, from top to bottom. */
export function regionBlocks(segments: readonly Segment[], given: Given): PdfBlock[] {
  const rows = toRows(joinNeighbours(segments, WORDS_GAP))
  return findTables(rows).flatMap((stretch) =>
    stretch.kind === 'table' ? [{ ...stretch, page: given.page }] : lineBlocks(stretch.rows, given),
  )
}

function lineBlocks(rows: Segment[][], given: Given): PdfBlock[] {
  const blocks: PdfBlock[] = []
  let group: Line[] = []
  const close = () => {
    if (group.length > 0) blocks.push(toBlock(group, given))
    group = []
  }
  const lines = rows.flatMap(toLine)
  const widest = ownLinesUntil(lines)
  for (const line of lines) {
    const last = group.at(-1)
    const isOwn = last !== undefined && widest !== null && endsOnPurpose(last, line, widest)
    if (last !== undefined && (isOwn || beginsAnew(last, line, group, given))) close()
    group.push(line)
  }
  close()
  return blocks
}

/**
 * Joins a row outside tables into one line, ignoring its gaps. A term in a code font with its definition beside it starts
 * at the definition, because the next lines are aligned with that.
 */
function toLine(row: Segment[]): Line[] {
  const [first, second] = row
  if (first === undefined) return []
  const text = row.map((segment) => segment.text.trim()).join(' ')
  const right = row.at(-1)?.right ?? first.right
  const inMono = row.reduce((sum, each) => sum + (each.isMono ? each.text.length : 0), 0)
  const isMono = inMono * 2 > text.length
  const isBold = row.every((segment) => segment.isBold)
  if (first.isMono && !isMono && second) return [{ ...second, text, right, isMono, isBold, isTerm: true }]
  return [{ ...first, text, right, isMono, isBold, isTerm: false }]
}

/** Share of the lines of wrapped text that are about as long as the longest. Lists of facts have fewer. */
const FULL = 0.4

/** Where the widest line ends, if the lines do not fill their region, as in a list of facts. Null for wrapped text. */
function ownLinesUntil(lines: readonly Line[]): number | null {
  const [left, right] = [Math.min(...lines.map(({ x }) => x)), Math.max(...lines.map((line) => line.right))]
  const full = lines.filter((line) => line.right > right - 0.2 * (right - left))
  return full.length < FULL * lines.length ? right : null
}

/** True if the first word of the next line would have fitted: programs fill a line before they begin the next. */
function endsOnPurpose(last: Line, { x, right, text }: Line, widest: number): boolean {
  if (last.isMono || /^\p{Ll}/u.test(text) || /[-,]$/.test(last.text)) return false
  const [word = ''] = text.split(' ', 1)
  const width = ((right - x) / text.length) * word.length
  // A space, and what the estimate of the width can be wrong by.
  return last.right + width + 2 * last.size < widest
}

function beginsAnew(last: Line, line: Line, group: Line[], { headings, page }: Given): boolean {
  const size = Math.min(last.size, line.size)
  const pitch = line.y - last.y
  if (line.isTerm || last.isMono !== line.isMono || Math.abs(last.size - line.size) > 0.1 * size) return true
  if (line.isMono) return pitch > 3 * size
  if (pitch > PARAGRAPH_GAP * size || (isItem(line.text) && !continuesSentence(last, line, group))) return true
  const level = headings.levelOf(line.text, line, page)
  // The second line of a heading has the same size. A heading from the outline is complete.
  if (level !== headings.levelOf(last.text, last, page)) return true
  if (level !== null) return false
  const first = group[0] ?? last
  const isIndented = line.x - last.x > 0.8 * size && line.x - first.x > 0.8 * size
  const wasShort = last.right < Math.max(...group.map(({ right }) => right), line.right) - 0.2 * (line.right - line.x)
  return !isItem(first.text) && (isIndented || (wasShort && /[.!?:]["”’)]?$/.test(last.text)))
}

/** Whether a number at the start of a line ends the sentence above: "returns a status of" and then "127. Otherwise". */
function continuesSentence(last: Line, line: Line, group: Line[]): boolean {
  const number = /^(\d{1,3})\. /.exec(line.text)?.[1]
  if (number === undefined || Number(number) < 2 || isItem(group[0]?.text ?? '')) return false
  // The first line of a paragraph may be indented. A list is, too, and its text is farther right than its numbers.
  const indent = last.x - line.x
  const isAligned = indent > -0.2 * line.size && indent < (last === group[0] ? 3 : 0.2) * line.size
  const wasFull = last.right > line.right - 0.2 * (line.right - line.x)
  return isAligned && wasFull && !/[.!?:;,]["”’)]?$/.test(last.text)
}

function toBlock(lines: Line[], { page, headings, vocabulary }: Given): PdfBlock {
  const first = lines[0]
  if (first?.isMono === true && !isFormula(lines)) return { kind: 'code', page, text: codeText(lines) }
  const text = lines.map((line) => line.text).reduce((before, after) => joinLines(before, after, vocabulary))
  const size = first?.size ?? headings.bodySize
  const look = { size, isBold: lines.every(({ isBold }) => isBold) }
  const level = headings.levelOf(first?.text ?? '', look, page) ?? headings.levelOf(text, look, page)
  if (level !== null) return { kind: 'heading', page, level, text }
  if (BULLET.test(text)) return { kind: 'item', page, size, text: `- ${text.replace(BULLET, '')}`, turns: [] }
  return { kind: NUMBERED.test(text) ? 'item' : 'text', page, size, text, turns: [] }
}

/** Longest fragment of a formula, in characters. Fonts of formulas often claim to be fonts of code. */
const FORMULA = 12

/** True for a fragment of a formula: `∑ ∑`, `2 2`. Code has letters, or the marks of code. */
function isFormula(lines: Line[]): boolean {
  const text = lines.map((line) => line.text).join('')
  return text.length <= FORMULA && !/[\p{L}<>[\](){}$#"'`;:\\/]/u.test(text)
}

function isItem(text: string): boolean {
  return BULLET.test(text) || NUMBERED.test(text)
}

function codeText(lines: Line[]): string {
  const left = Math.min(...lines.map(({ x }) => x))
  const widths = lines.map(({ x, right, text }) => (right - x) / text.length).filter((width) => width > 0)
  const letter = widths.toSorted((a, b) => a - b)[widths.length >> 1] ?? 6
  return lines.map(({ x, text }) => ' '.repeat(Math.min(80, Math.round((x - left) / letter))) + text).join('\n')
}

const WORD = /[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu
const BROKEN = /(?<!\p{L})(\p{L}+)-$/u

/** Returns all words of the lines except those broken at a line end. */
export function vocabularyOf(lines: Iterable<string>): ReadonlySet<string> {
  const words = new Set<string>()
  for (const line of lines) {
    for (const [word] of line.replace(BROKEN, '').matchAll(WORD)) words.add(word.toLowerCase())
  }
  return words
}

/** A word that can follow a hyphen with a space: `short- and long-term`. */
const AFTER_SUSPENDED = /^(?:and|or|to|und|oder|bis|et|ou)(?= )/
const URL_MARK = /[./_=&?#~%-]/

/**
 * Joins two lines of a paragraph. Removes a hyphen at the line end, unless the document contains only the hyphenated
 * word. Joins the parts of a divided URL, and of a name with a hyphen such as `UTF-8`.
 */
export function joinLines(before: string, after: string, vocabulary: ReadonlySet<string>): string {
  if (goesOnInUrl(before, after)) return before + after
  const broken = BROKEN.exec(before)?.[1]
  if (broken === undefined || AFTER_SUSPENDED.test(after)) return `${before} ${after}`
  const rest = /^\p{Ll}+/u.exec(after)?.[0]
  if (rest === undefined) return /^[\p{Lu}\p{N}]/u.test(after) ? before + after : `${before} ${after}`
  const whole = (broken + rest).toLowerCase()
  const hyphened = `${broken}-${rest}`.toLowerCase()
  const keeps = vocabulary.has(hyphened) && !vocabulary.has(whole)
  return (keeps ? before : before.slice(0, -1)) + after
}

/**
 * True if a URL at the end of a line goes on in the next. Either a mark follows, or one precedes and the next word has
 * another mark or a digit. Other words can follow a complete URL: `at https://x.example/` and then `for details`.
 */
function goesOnInUrl(before: string, after: string): boolean {
  const url = before.slice(before.lastIndexOf(' ') + 1)
  const word = after.split(' ', 1)[0] ?? ''
  if (!/https?:\/\/|\bwww\./.test(url)) return false
  if (/^[/?#&=]/.test(word)) return true
  return URL_MARK.test(url.slice(-1)) && /^[\p{Ll}\p{N}]/u.test(word) && /[./_=&?#~%\d-]./.test(word)
}

/** Minimum size of a heading, as a factor of the body size. */
const LARGER = 1.12
const HEADING_BULLET = /^[•◦▪▫‣●○■□]/u
const LONGEST_HEADING = 160
const DEEPEST_HEADING = 5
/** Maximum number of distinct heading sizes below the title. */
const MAX_SIZES = 3

/** Longest line that is a heading because it is bold, in characters. */
const LONGEST_BOLD = 80
/** Bold lines that are no headings: captions, notes, and what introduces the text after it. */
const NO_HEADING = /^(?:fig(?:ure|\.)|table|listing|note|warning|caution|important|tip)\b|[.,:;]$/i
/** Largest share of a document's characters in bold lines. Above it, bold is its usual weight. */
const MOST_BOLD = 0.3

/** Finds headings by the author's outline, and otherwise by font size, and by weight for lines of the usual size. */
export function createHeadingFinder(segments: readonly Segment[], outline: readonly OutlineEntry[]) {
  const bodySize = usualSize(segments)
  const short = segments.filter(({ text }) => text.length <= LONGEST_HEADING)
  const sizes = [...new Set(short.map(({ size }) => rounded(size)))]
    .filter((size) => size > bodySize * LARGER)
    .toSorted((a, b) => b - a)
  const usesWeight = outline.length === 0 && boldShare(segments) < MOST_BOLD
  const boldLevel = Math.max(2, Math.min(sizes.length, MAX_SIZES) + 1)
  const entries = new Map(outline.map(({ title, level, page }) => [`${page} ${normal(title)}`, level]))
  return {
    bodySize,
    /** Returns the heading level of a line, or null. The title has level 1. */
    levelOf(line: string, { size, isBold }: Pick<Segment, 'size' | 'isBold'>, page: number): number | null {
      if (line.length > LONGEST_HEADING || !/\p{L}/u.test(line)) return null
      // A section often begins with a list of the headings below it.
      const level = HEADING_BULLET.test(line) ? undefined : entries.get(`${page} ${normal(line)}`)
      if (level !== undefined) return Math.min(level + 2, DEEPEST_HEADING)
      const rank = sizes.indexOf(rounded(size))
      if (rank >= 0) return Math.min(rank + 1, MAX_SIZES + 1)
      const isHeading = usesWeight && isBold && line.length <= LONGEST_BOLD && /^[\p{Lu}\d]/u.test(line)
      return isHeading && !NO_HEADING.test(line) ? boldLevel : null
    },
  }
}

function boldShare(segments: readonly Segment[]): number {
  const letters = (some: readonly Segment[]) => some.reduce((sum, { text }) => sum + text.length, 0)
  return letters(segments.filter(({ isBold }) => isBold)) / Math.max(1, letters(segments))
}

/** Returns the most common font size, by number of characters. */
function usualSize(segments: readonly Segment[]): number {
  const letters = new Map<number, number>()
  for (const { text, size } of segments) letters.set(rounded(size), (letters.get(rounded(size)) ?? 0) + text.length)
  const [usual] = [...letters].toSorted((a, b) => b[1] - a[1])
  return usual?.[0] ?? 10
}

function rounded(size: number): number {
  return Math.round(size * 2) / 2
}

/** Removes section numbers, which may be in the line, in the outline, or in both. */
function normal(title: string): string {
  return title
    .toLowerCase()
    .replace(/^[\d.]+\s+/, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
}
