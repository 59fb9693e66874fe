import { fenced, joinLines, tableLines } from '../markdown/write-markdown.ts'
import { FileProblem } from './file-problem.ts'

/** States of tasks, priorities, counters and tags around a headline, which are no part of its text. */
const HEADLINE = /^(\*{1,30})[ \t]+(?:(?:TODO|DONE|NEXT|WAITING|CANCELED|CANCELLED)[ \t]+)?(?:\[#[A-Z]\][ \t]+)?(\S.*)$/
const TAGS = /(?<![ \t])[ \t]+:[\w@#%:]+:$/
const KEYWORD = /^[ \t]*#\+([\w-]{1,40})(?:\[[^\]\n]{0,100}\])?:(.*)$/
const BLOCK = /^[ \t]*#\+begin_(\w{1,40})(?:[ \t]+(\S+))?/i
/** A drawer, its end, or a property in it. */
const PROPERTY = /^[ \t]*:[\w-]{1,40}:(?:[ \t]|$)/
/** Times of tasks: `SCHEDULED: <2024-05-01>`. */
const PLANNING = /^[ \t]*(?:SCHEDULED|DEADLINE|CLOSED|CLOCK):/
const RULE = /^[ \t]*\|[-+|]+[ \t]*$/
const ROW = /^[ \t]*\|/
const CODE_BLOCKS = /^(?:src|example|export)$/i

/** Blocks in blocks beyond this depth are lines of text. */
const MAX_DEPTH = 5
/** Longer lines are data. */
const MAX_LINE = 10_000
/** A file with more lines is data, and its tables would exceed the memory of a process. */
export const MAX_LINES = 100_000

/** Lines of the text, the next one to read, and the number of open blocks around it. */
type Reading = { lines: readonly string[]; at: number; depth: number }

/**
 * Converts Org text to Markdown: headlines, lists, tables, blocks of code, links and emphasis. Leaves out settings,
 * drawers, comments, subtrees that are not exported, times and tags. Throws `FileProblem` beyond `MAX_LINES`.
 */
export function orgToMarkdown(text: string): string {
  const reading: Reading = { lines: text.split('\n', MAX_LINES + 1), at: 0, depth: 0 }
  if (reading.lines.length > MAX_LINES) {
    throw new FileProblem('too_large', `The file has more than ${MAX_LINES.toLocaleString('en')} lines. Divide it.`)
  }
  const title = /^[ \t]*#\+title:[ \t]*(\S.*)$/im.exec(text)?.[1]
  const body = convert(reading, () => false)
  return joinLines([...(title === undefined ? [] : [`# ${inline(title.trim())}`, '']), ...body])
}

function convert(reading: Reading, isEnd: (line: string) => boolean): string[] {
  const out: string[] = []
  while (reading.at < reading.lines.length) {
    const line = reading.lines[reading.at] ?? ''
    if (isEnd(line)) break
    const [, stars = '', headline] = HEADLINE.exec(line) ?? []
    if (headline !== undefined && isHidden(headline.trimEnd())) {
      const isDeeper = (next: string) => !isEnd(next) && (HEADLINE.exec(next)?.[1]?.length ?? Infinity) > stars.length
      do reading.at++
      while (reading.at < reading.lines.length && isDeeper(reading.lines[reading.at] ?? ''))
    } else if (headline !== undefined) {
      out.push('', `${'#'.repeat(Math.min(6, stars.length + 1))} ${inline(headline.trimEnd().replace(TAGS, ''))}`, '')
      reading.at++
    } else if (reading.depth < MAX_DEPTH && BLOCK.test(line)) addBlock(out, block(reading))
    else if (ROW.test(line)) addBlock(out, table(reading))
    else if (/^[ \t]*: /.test(line)) addBlock(out, fixedWidth(reading))
    else {
      out.push(...proseLine(line))
      reading.at++
    }
  }
  return out
}

/** True for subtrees that Org does not export (Org manual, "Export Settings" and "Comment Lines"). */
const isHidden = (headline: string): boolean =>
  /^COMMENT(?:[ \t]|$)/.test(headline) || TAGS.exec(headline)?.[0].includes(':noexport:') === true

/** A block can have more lines than a call can have arguments. */
function addBlock(out: string[], lines: readonly string[]): void {
  out.push('')
  for (const line of lines) out.push(line)
  out.push('')
}

/** Settings, comments and times give nothing. Captions stay. */
function proseLine(line: string): string[] {
  const [, name, value = ''] = KEYWORD.exec(line) ?? []
  if (name !== undefined) return /^caption$/i.test(name) ? [inline(value.trim())] : []
  if (/^[ \t]*#(?: |$)/.test(line) || PLANNING.test(line) || PROPERTY.test(line)) return []
  const [mark] = /^[ \t]*[-+][ \t]/.exec(line) ?? []
  const term = mark === undefined ? -1 : line.indexOf(' :: ', mark.length)
  if (mark !== undefined && term > 0) {
    return [`${mark}**${inline(line.slice(mark.length, term).trim())}**: ${inline(line.slice(term + 4).trim())}`]
  }
  return [inline(line.replace(/^([ \t]*)(\d{1,9})\)(?=[ \t])/, '$1$2.').replace(/^([ \t]+)\*(?=[ \t])/, '$1-'))]
}

/** Reads a block up to its end, or to the end of the text. Quotes are prose; all other blocks with a language are code. */
function block(reading: Reading): string[] {
  const [, name = '', language = ''] = BLOCK.exec(reading.lines[reading.at] ?? '') ?? []
  const isEnd = (line: string) => line.trim().toLowerCase() === `#+end_${name.toLowerCase()}`
  reading.at++
  const start = reading.at
  if (CODE_BLOCKS.test(name) || /^comment$/i.test(name)) {
    while (reading.at < reading.lines.length && !isEnd(reading.lines[reading.at] ?? '')) reading.at++
    const code = dedent(reading.lines.slice(start, reading.at++))
    const isSource = /^src$/i.test(name) && /^[\w+#.-]{1,24}$/.test(language)
    return /^comment$/i.test(name) ? [] : [fenced(code, isSource ? language : '')]
  }
  reading.depth++
  const body = convert(reading, isEnd)
  reading.depth--
  reading.at++
  // Code in a quote stays a block of code. It is the only piece of several lines.
  return /^quote$/i.test(name) ? body.map((line) => (line === '' || line.includes('\n') ? line : `> ${line}`)) : body
}

/** Removes the common margin, and the commas that keep code from being read as Org. */
function dedent(lines: readonly string[]): string {
  const margins = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length)
  const margin = margins.reduce((least, each) => Math.min(least, each), 1_000)
  return lines.map((line) => line.slice(margin).replace(/^,(?=\*|#\+|,)/, '')).join('\n')
}

/** Writes each row at once: the cells of a long table would take many times its memory. */
function table(reading: Reading): string[] {
  const lines: string[] = []
  for (; ROW.test(reading.lines[reading.at] ?? ''); reading.at++) {
    const line = reading.lines[reading.at] ?? ''
    if (line.length > MAX_LINE || RULE.test(line)) continue
    const cells = line.trim().replace(/^\|/, '').replace(/\|$/, '').split('|')
    const [row = '', rule = ''] = tableLines([cells.map((cell) => inline(cell.trim()))])
    lines.push(...(lines.length === 0 ? [row, rule] : [row]))
  }
  return lines
}

function fixedWidth(reading: Reading): string[] {
  const code: string[] = []
  for (; /^[ \t]*:(?: |$)/.test(reading.lines[reading.at] ?? ''); reading.at++) {
    code.push((reading.lines[reading.at] ?? '').trimStart().slice(2))
  }
  return [fenced(code.join('\n'))]
}

const CODE = /(?<![\w])[=~](\S(?:[^\n]{0,300}?\S)?)[=~](?!\w)/g
/** A link whose text is code. */
const CODE_LABEL = /\]\[[=~]([^=~\]\n]{1,300})[=~]\]\]/g
/** A place that links lead to. It is not shown. */
const TARGET = /(?<!<)<<(?!\s)[^<>\n]{1,200}(?<!\s)>>(?!>)/g
const EMPHASIS: readonly [RegExp, string][] = [
  [/(?<![\w/:*])\/(\S(?:[^/\n]{0,300}?\S)?)\/(?![\w/])/g, '*'],
  [/(?<![\w+])\+(\S(?:[^+\n]{0,300}?\S)?)\+(?![\w+])/g, '~~'],
]

/** Converts links, code and emphasis of one line. What is inside of code stays as it is. */
function inline(text: string): string {
  if (text.length > MAX_LINE || !/[[=~*/+_<]/.test(text)) return text
  const pieces: string[] = []
  let at = 0
  const labelled = text.replace(CODE_LABEL, '][`$1`]]')
  for (const { 0: whole, 1: code = '', index } of labelled.matchAll(CODE)) {
    if (whole.at(0) !== whole.at(-1)) continue
    pieces.push(prose(labelled.slice(at, index)), `\`${code}\``)
    at = index + whole.length
  }
  return [...pieces, prose(labelled.slice(at))].join('')
}

function prose(text: string): string {
  const linked = withLinks(text.replace(TARGET, '')).replace(
    /(?<![\w*])\*(\S(?:[^*\n]{0,300}?\S)?)\*(?![\w*])/g,
    '**$1**',
  )
  // A slash in an address is no emphasis.
  if (linked.includes('://')) return linked
  return EMPHASIS.reduce((line, [mark, sign]) => line.replace(mark, `${sign}$1${sign}`), linked)
}

/** Converts links to pages: `[[https://a.dev][text]]`. Of links elsewhere, the text remains. */
function withLinks(text: string): string {
  const [before = '', ...parts] = text.split('[[')
  let out = before
  for (const part of parts) {
    const end = part.indexOf(']]')
    const [target = '', label = target.replace(/^(?:file:|id:|\*|#)/, '')] = part
      .slice(0, Math.max(0, end))
      .split('][', 2)
    const link = /^https?:/.test(target) ? `[${label}](${target.replaceAll(/[\s()<>]/g, encodeURIComponent)})` : label
    out += end < 0 ? `[[${part}` : link + part.slice(end + 2)
  }
  return out
}
