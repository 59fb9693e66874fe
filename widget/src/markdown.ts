/**
 * Markdown as the programs for browsers show it, as a tree of plain data: nothing becomes HTML. It may be incomplete, as
 * in a stream. Markup that is not understood stays as text. Takes linear time.
 */

/** Text with inline markup. */
export type Inline =
  | string
  | { kind: 'code'; text: string }
  | { kind: 'strong' | 'emphasis'; parts: Inline[] }
  /** `address` is null if a browser must not open it: only http(s) is. An image is a link to it. */
  | { kind: 'link' | 'image'; address: string | null; parts: Inline[] }
  /** The mark of a citation, `[n]`. */
  | { kind: 'mark'; n: number }

export type ListItem = { parts: Inline[]; isTask: boolean }

export type Block =
  | { kind: 'paragraph'; parts: Inline[] }
  | { kind: 'heading'; level: number; parts: Inline[] }
  | { kind: 'code'; text: string }
  /** `start` is the first number of a numbered list. */
  | { kind: 'list'; start: number | null; items: ListItem[] }
  /** The head of a part of a table is empty. */
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'quote'; blocks: Block[] }

/** Whether a number is that of a citation. Other numbers in brackets are text. */
export type IsCited = (n: number) => boolean

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const HEADING = /^ {0,3}(#{1,6})\s+(\S.*)$/
const ITEM = /^\s*(?:[-*+]|(\d{1,9})[.)])\s+(\S.*)$/
const TASK = /^\[ \]\s+/
const RULE = /^ {0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/
const QUOTE = /^ {0,3}> ?/
const ROW = /^\s*\|.*\|\s*$/
const DELIMITERS = /^[\s|:-]*-[\s|:-]*$/
/** Lines that end an item of a list. */
const BEGINNINGS = [FENCE, HEADING, RULE, QUOTE, ROW]

export function readMarkdown(markdown: string, isCited: IsCited): Block[] {
  return readBlocks(markdown.split('\n'), (text) => readInline(text.trim(), isCited))
}

/** A section to show closed, below its heading. */
export type Fold = { heading: Inline[]; blocks: Block[] }

/**
 * Splits a quoted answer: the first section, the further ones, and what follows them. Each section ends with the number of
 * its citation, and a further one begins with a heading. Nothing is folded in another text.
 */
export function foldSections(all: readonly Block[]): { open: Block[]; folds: Fold[]; rest: Block[] } {
  const blocks = withoutRepeatedSources(all)
  const folds: Fold[] = []
  let from = blocks.findIndex((block) => lastMark(block) === 1) + 1
  const open = blocks.slice(0, from)
  for (let n = 2; from > 0; n++) {
    const [heading] = blocks.slice(from, from + 1)
    const end = blocks.findIndex((block, at) => at > from && lastMark(block) === n)
    if (heading?.kind !== 'heading' || end < 0) break
    folds.push({ heading: heading.parts, blocks: blocks.slice(from + 1, end + 1) })
    from = end + 1
  }
  return folds.length === 0 ? { open: [...blocks], folds, rest: [] } : { open, folds, rest: blocks.slice(from) }
}

/** Leaves out `(from [1])` below a block if a later block of the same section names that citation at its end. */
function withoutRepeatedSources(blocks: readonly Block[]): Block[] {
  /** The last citations of the section below the block, from the end. */
  let named = new Set<number>()
  const kept: Block[] = []
  for (const block of blocks.toReversed()) {
    if (block.kind === 'heading') named = new Set()
    const source = sourceOf(block)
    if (source === null || !named.has(source)) kept.push(block)
    const last = lastMark(block)
    if (last !== null) named.add(last)
  }
  return kept.toReversed()
}

/** The citation of a paragraph that says nothing but `(from [1])`. */
function sourceOf(block: Block): number | null {
  if (block.kind !== 'paragraph' || block.parts.length !== 3) return null
  const [before, mark, after] = block.parts
  return before === '(from ' && after === ')' && typeof mark === 'object' && mark.kind === 'mark' ? mark.n : null
}

/** The citation that ends a block, as in `[1]`, `(from [1])` and `… 2 more rows at [1]`. */
function lastMark(block: Block): number | null {
  const parts = block.kind === 'paragraph' ? block.parts : block.kind === 'list' ? block.items.at(-1)?.parts : undefined
  const last = parts?.at(-1) === ')' ? parts.at(-2) : parts?.at(-1)
  return typeof last === 'object' && last.kind === 'mark' ? last.n : null
}

type ReadText = (text: string) => Inline[]

function readBlocks(lines: readonly string[], read: ReadText): Block[] {
  const blocks: Block[] = []
  let paragraph: string[] = []
  const endParagraph = () => {
    if (paragraph.length > 0) blocks.push({ kind: 'paragraph', parts: read(paragraph.join('\n')) })
    paragraph = []
  }
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? ''
    const begun = readBlock(lines, at, read)
    if (begun || line.trim() === '' || RULE.test(line)) endParagraph()
    else paragraph.push(line)
    if (begun) blocks.push(begun.block)
    at = begun ? begun.end : at + 1
  }
  endParagraph()
  return blocks
}

type Begun = { block: Block; end: number } | null

/** The block that begins at a line. Null if the line is part of a paragraph, or empty. */
function readBlock(lines: readonly string[], at: number, read: ReadText): Begun {
  const line = lines[at] ?? ''
  const [, marks] = FENCE.exec(line) ?? []
  if (marks !== undefined) return readCode(lines, at, marks)
  const [, hashes = '', heading] = HEADING.exec(line) ?? []
  if (heading !== undefined)
    return { block: { kind: 'heading', level: hashes.length, parts: read(heading) }, end: at + 1 }
  if (RULE.test(line)) return null
  if (ITEM.test(line)) return readList(lines, at, read)
  if (ROW.test(line)) return readTable(lines, at, read)
  return QUOTE.test(line) ? readQuote(lines, at, read) : null
}

function readCode(lines: readonly string[], at: number, marks: string): Begun {
  const isEnd = (line: string) => line.startsWith(marks) && line === marks.charAt(0).repeat(line.length)
  let end = at + 1
  while (end < lines.length && !isEnd((lines[end] ?? '').trim())) end++
  return { block: { kind: 'code', text: lines.slice(at + 1, end).join('\n') }, end: end + 1 }
}

function readList(lines: readonly string[], at: number, read: ReadText): Begun {
  const [, number] = ITEM.exec(lines[at] ?? '') ?? []
  const texts: string[] = []
  let end = at
  for (; end < lines.length; end++) {
    const line = lines[end] ?? ''
    const [, , words] = RULE.test(line) ? [] : (ITEM.exec(line) ?? [])
    if (words !== undefined) texts.push(words)
    // Any other line of text goes on with the item.
    else if (line.trim() !== '' && !BEGINNINGS.some((pattern) => pattern.test(line)))
      texts.push(`${texts.pop() ?? ''} ${line.trim()}`)
    else break
  }
  const items = texts.map((text) => ({ parts: read(text.replace(TASK, '')), isTask: TASK.test(text) }))
  return { block: { kind: 'list', start: number === undefined ? null : Number(number), items }, end }
}

function readTable(lines: readonly string[], at: number, read: ReadText): Begun {
  let end = at
  while (ROW.test(lines[end] ?? '')) end++
  const table = lines.slice(at, end)
  const rows = table.filter((line) => !DELIMITERS.test(line)).map((line) => cellsOf(line).map(read))
  const head = DELIMITERS.test(table[1] ?? '') ? (rows.shift() ?? []) : []
  return { block: { kind: 'table', head, rows }, end }
}

/** A backslash before a bar makes it text. */
function cellsOf(line: string): string[] {
  const cells = line
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
  return cells.map((cell) => cell.trim())
}

/** Quotes within quotes are left out: their depth has no bound. */
function readQuote(lines: readonly string[], at: number, read: ReadText): Begun {
  let end = at
  while (QUOTE.test(lines[end] ?? '')) end++
  const inner = lines.slice(at, end).map((line) => line.replace(QUOTE, ''))
  return {
    block: {
      kind: 'quote',
      blocks: readBlocks(
        inner.filter((line) => !QUOTE.test(line)),
        read,
      ),
    },
    end,
  }
}

/** Characters at which inline markup can begin. */
const SPECIAL = /[\\`*![<]/g
const ESCAPE = /\\([!-/:-@[-`{-~])/y
const MARK = /\[(\d{1,4})\](?![(:])/y
const LINK = /!?\[([^[\]]{0,500})\]\(<?([^()\s<>]{0,2000})>?[^()]{0,200}\)/y
const AUTOLINK = /<(https?:\/\/[^\s<>]{1,2000})>/y
/** Levels of nested markup. */
const MAX_DEPTH = 4

/** Reads inline markup. */
export function readInline(text: string, isCited: IsCited, depth = 0): Inline[] {
  /** Delimiters without an end, so that it is searched only once. */
  const context: Context = { unclosed: new Set(), isCited, depth }
  const parts: Inline[] = []
  let done = 0
  SPECIAL.lastIndex = 0
  for (let found = SPECIAL.exec(text); found; found = SPECIAL.exec(text)) {
    const at = found.index
    const made = readMarkup(text, at, context)
    if (made) parts.push(...(at > done ? [text.slice(done, at)] : []), made.part)
    done = made ? made.end : done
    SPECIAL.lastIndex = made ? made.end : at + 1
  }
  if (done < text.length) parts.push(text.slice(done))
  return parts
}

type Context = { unclosed: Set<string>; isCited: IsCited; depth: number }
type Markup = { part: Inline; end: number } | null

function readMarkup(text: string, at: number, context: Context): Markup {
  switch (text[at]) {
    case '\\':
      return readEscape(text, at)
    case '`':
      return readCodeSpan(text, at, context)
    case '*':
      return readEmphasis(text, at, context)
    case '<':
      return readAutolink(text, at)
    default:
      return readMark(text, at, context) ?? readLink(text, at, context)
  }
}

function readEscape(text: string, at: number): Markup {
  const [, character] = matchAt(ESCAPE, text, at) ?? []
  return character === undefined ? null : { part: character, end: at + 2 }
}

function readCodeSpan(text: string, at: number, { unclosed }: Context): Markup {
  let from = at
  while (text[from] === '`') from++
  const ticks = text.slice(at, from)
  const end = closing(text, ticks, { from, unclosed })
  return end === -1 ? null : { part: { kind: 'code', text: text.slice(from, end).trim() }, end: end + ticks.length }
}

function readEmphasis(text: string, at: number, { unclosed, isCited, depth }: Context): Markup {
  const delimiter = text.startsWith('**', at) ? '**' : '*'
  const from = at + delimiter.length
  const end = /\s/.test(text[from] ?? ' ') || depth >= MAX_DEPTH ? -1 : closing(text, delimiter, { from, unclosed })
  if (end <= from || /\s/.test(text[end - 1] ?? ' ')) return null
  const parts = readInline(text.slice(from, end), isCited, depth + 1)
  return { part: { kind: delimiter === '**' ? 'strong' : 'emphasis', parts }, end: end + delimiter.length }
}

function readAutolink(text: string, at: number): Markup {
  const [all, address] = matchAt(AUTOLINK, text, at) ?? []
  if (all === undefined || address === undefined) return null
  return { part: { kind: 'link', address: safeAddress(address), parts: [address] }, end: at + all.length }
}

function readMark(text: string, at: number, { isCited }: Context): Markup {
  const [all, digits] = matchAt(MARK, text, at) ?? []
  const n = Number(digits)
  return all === undefined || !isCited(n) ? null : { part: { kind: 'mark', n }, end: at + all.length }
}

function readLink(text: string, at: number, { isCited, depth }: Context): Markup {
  const [all, words = '', address = ''] = matchAt(LINK, text, at) ?? []
  if (all === undefined || depth >= MAX_DEPTH) return null
  const kind = all.startsWith('!') ? 'image' : 'link'
  const parts = readInline(words, isCited, MAX_DEPTH)
  return { part: { kind, address: safeAddress(address), parts }, end: at + all.length }
}

/** An address that a browser may open. Other schemes could run scripts, and relative addresses would stay here. */
export function safeAddress(address: string): string | null {
  const url = URL.canParse(address) ? new URL(address) : null
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : null
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

function closing(text: string, mark: string, { from, unclosed }: { from: number; unclosed: Set<string> }): number {
  if (unclosed.has(mark)) return -1
  const end = text.indexOf(mark, from)
  if (end === -1) unclosed.add(mark)
  return end
}
