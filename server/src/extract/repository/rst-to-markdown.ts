import { fenced, joinLines, tableLines } from '../markdown/write-markdown.ts'
import words from './rst-words.json' with { type: 'json' }

const VERSIONS: Readonly<Record<string, string>> = words.versions
const UNDERLINE = /^([=\-`:.'"~^_*+#<>!$%&,/;?@[\]{|}\\()])\1{2,}\s*$/
const DIRECTIVE = /^(\s*)\.\. ([\w:+.-]+)::(?:\s+(\S.*)?)?$/

/**
 * Converts the reStructuredText that documentation uses to Markdown. Converts sections (levels in order of first
 * underline), directives for code, notes, objects and tables, literal blocks, links and roles. Keeps drawn tables.
 * Removes comments, targets, and layout directives.
 */
export function rstToMarkdown(rst: string): string {
  return joinLines(convert(rst.split('\n'), { underlines: [], level: 0, program: '' }))
}

/** Underline styles so far, outermost first, the level of the last heading, and the program of the options below. */
type State = { underlines: string[]; level: number; program: string }

function convert(lines: string[], state: State): string[] {
  const { underlines } = state
  const out: string[] = []
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? ''
    const section = sectionAt(lines, at)
    if (section) {
      const { style, text, next } = section
      if (!underlines.includes(style)) underlines.push(style)
      state.level = Math.min(6, underlines.indexOf(style) + 1)
      out.push('', `${'#'.repeat(state.level)} ${rstInline(text)}`, '')
      at = next
      continue
    }
    const [, margin, name = '', rest = ''] = DIRECTIVE.exec(line) ?? []
    if (margin !== undefined) {
      const body = indentedAfter(lines, at, margin.length)
      if (/(?:^|:)program$/.test(name)) state.program = rest.trim().replaceAll(/\s+/g, '-')
      const below = { ...state, level: state.level + 1 }
      out.push('', ...directive({ name, rest, lines: body.lines }, below), '')
      at = body.next
      continue
    }
    if (/^\s*\.\.( |$)/.test(line)) {
      at = indentedAfter(lines, at, marginOf(line)).next
      continue
    }
    if (isTableRule(line)) {
      const end = tableEnd(lines, at)
      out.push('', fenced(lines.slice(at, end).join('\n')), '')
      at = end
      continue
    }
    const block = literalAfter(lines, at)
    out.push(...paragraphLine(line, block !== null))
    if (block) {
      out.push('', fenced(block.lines.join('\n')), '')
      at = block.next
    } else at++
  }
  return out
}

function paragraphLine(line: string, opensLiteral: boolean): string[] {
  const text = opensLiteral ? line.replace(/(?<!\s)\s*::\s*$/, (mark) => (/^\s/.test(mark) ? '' : ':')) : line
  const field = /^\s*:([\w][^:\n]{0,80}):(?:\s+(\S.*)?)?$/.exec(text)
  if (field) return [fieldLine(field[1] ?? '', field[2] ?? '')]
  return text.trim() === '' && opensLiteral ? [] : [rstInline(text.replace(/^(\s*)#\.\s/, '$11. '))]
}

/** Converts `:param name: description` and other fields to list items. */
function fieldLine(name: string, text: string): string {
  const parameter = /^(?:param|parameter|arg|argument|keyword|raises|type)\s+(?:\S+\s+)?(\S+)$/.exec(name)?.[1]
  return `- ${parameter ? `\`${parameter}\`` : name}: ${rstInline(text)}`.trimEnd()
}

function sectionAt(lines: string[], at: number): { style: string; text: string; next: number } | null {
  const line = lines[at] ?? ''
  const below = lines[at + 1] ?? ''
  const over = UNDERLINE.exec(line)
  if (over && UNDERLINE.exec(lines[at + 2] ?? '')?.[1] === over[1] && below.trim() !== '' && !UNDERLINE.test(below)) {
    return { style: `${over[1]}${over[1]}`, text: below.trim(), next: at + 3 }
  }
  const under = UNDERLINE.exec(below)
  const isTitle = under && line.trim() !== '' && !/^\s/.test(line) && !UNDERLINE.test(line)
  if (!isTitle || below.trimEnd().length < Math.min(line.trimEnd().length, 4)) return null
  // A blank line precedes a title, but not the last line of a paragraph above a table or transition.
  return at === 0 || (lines[at - 1] ?? '').trim() === '' || /^\s*\.\. /.test(lines[at - 1] ?? '')
    ? { style: under[1] ?? '', text: line.trim(), next: at + 2 }
    : null
}

/** Returns the following lines indented deeper than `margin`, dedented, without blank lines at the end. */
function indentedAfter(lines: string[], at: number, margin: number): { lines: string[]; next: number } {
  let next = at + 1
  let last = at
  while (next < lines.length && ((lines[next] ?? '').trim() === '' || marginOf(lines[next] ?? '') > margin)) {
    if ((lines[next] ?? '').trim() !== '') last = next
    next++
  }
  const inner = lines.slice(at + 1, last + 1)
  const least = inner.reduce((most, line) => (line.trim() === '' ? most : Math.min(most, marginOf(line))), 1_000)
  return { lines: inner.map((line) => line.slice(least)), next }
}

/** Returns the literal block after a line ending in `::`, or null. */
function literalAfter(lines: string[], at: number): { lines: string[]; next: number } | null {
  const line = lines[at] ?? ''
  if (!/::\s*$/.test(line) || (lines[at + 1] ?? '').trim() !== '') return null
  const block = indentedAfter(lines, at, marginOf(line))
  const first = block.lines.findIndex((inner) => inner.trim() !== '')
  return first < 0 ? null : { lines: block.lines.slice(first), next: block.next }
}

function isTableRule(line: string): boolean {
  return /^\s*(\+[-=+]{3,}\+|={2,}( +={2,})+)\s*$/.test(line)
}

/** Returns the end of a table. A grid ends with its borders, a simple table at the last rule before a blank line. */
function tableEnd(lines: string[], at: number): number {
  const isGrid = /^\s*\+/.test(lines[at] ?? '')
  let end = at + 1
  let rules = 1
  for (; end < lines.length; end++) {
    const line = lines[end] ?? ''
    if (isGrid && !/^\s*[+|]/.test(line)) break
    if (!isGrid && line.trim() === '' && rules > 1) break
    if (isTableRule(line) && ++rules === 3 && !isGrid) return end + 1
  }
  return end
}

function marginOf(line: string): number {
  return line.length - line.trimStart().length
}

/** Converts a directive. `rest` is the text after its name, `lines` the dedented lines below. */
function directive({ name, rest, lines }: { name: string; rest: string; lines: string[] }, state: State): string[] {
  const { options, body } = withoutOptions(lines)
  const content = () => convert(body, state)
  // Sphinx's domains describe code: `py:function`, `std:option`.
  const object = /^\w+:(.+)$/.exec(name)?.[1] ?? name
  if (words.code.includes(name)) return [fenced(body.join('\n'), languageOf(rest, name))]
  if (words.notes.includes(name)) return [...noteHead(name, rest), ...content()]
  if (name === 'list-table' || name === 'flat-table')
    return [rstInline(rest), '', ...(listTable(body, state) ?? content())]
  if (name === 'csv-table') {
    const delimiter = options.get('delim') ?? ','
    const rows = [options.get('header') ?? '', body.join('\n')].flatMap((text) => csvRows(text, delimiter))
    const cells = rows.map((row) => row.map((cell) => cell.split('\n')))
    return [rstInline(rest), '', ...tableOf(cells, state)]
  }
  if (name === 'image' || name === 'figure') return [options.get('alt') ?? '', ...content()]
  // Layout, and placeholders that a program fills in.
  if (words.silent.includes(name)) return []
  if (words.options.includes(object)) {
    const anchor = anchorOf(rest, state.program)
    return ['', `${'#'.repeat(Math.min(6, state.level))} ${rest.trim()}${anchor && ` {#${anchor}}`}`, '', ...content()]
  }
  return [words.objects.includes(object) ? fenced(rest.trim()) : rstInline(rest), '', ...content()]
}

function noteHead(name: string, rest: string): string[] {
  if (name === 'admonition') return [`**${rstInline(rest)}**`, '']
  const since = VERSIONS[name]
  if (since !== undefined) {
    const [version = ''] = rest.trim().split(/\s/, 1)
    const more = rstInline(rest.trim().slice(version.length).trim())
    return [`**${since} ${version}${more && `: ${more}`}**`, '']
  }
  const label = name === 'seealso' ? 'See also' : `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
  const text = rstInline(rest)
  return [`**${label}**`, '', ...(text ? [text] : [])]
}

/** Returns the anchor that Sphinx gives an option: `cmdoption-f` for `-f FILE, --file FILE`. */
function anchorOf(rest: string, program: string): string {
  const first = /^(-{0,2}[\w.-]+)/.exec(rest.trim())?.[1] ?? ''
  if (first === '') return ''
  return first.startsWith('-') ? `cmdoption-${program && `${program}-`}${first.replace(/^-+/, '')}` : first
}

/** Converts a list of lists, each a row, to a table. Null for other content. */
function listTable(body: readonly string[], state: State): string[] | null {
  const rows: string[][][] = []
  let cell: string[] = []
  /** Column in which the cells of a row begin. Null until its first one. */
  let column: number | null = null
  for (const line of body) {
    const [, row = '', margin = '', text] = /^([*+-]?)( +)[*+-](?: (.*)|$)/.exec(line) ?? []
    const at = row.length + margin.length
    if (row !== '' || /^[*+-]\s*$/.test(line)) {
      rows.push([])
      column = row === '' ? null : at
      if (row === '') continue
    } else if (rows.length === 0 && line.trim() !== '') return null
    else if (at === 0 || (column !== null && at !== column)) {
      cell.push(line.trim())
      continue
    }
    column = at
    rows.at(-1)?.push((cell = [text?.trim() ?? '']))
  }
  return tableOf(rows, state)
}

/** Converts rows of cells of lines to a table. */
function tableOf(rows: readonly string[][][], state: State): string[] {
  const line = (cell: string[]) => convert(cell, state).join(' ').replaceAll(/\s+/g, ' ').trim()
  return tableLines(rows.map((cells) => cells.map(line)))
}

/** Reads the rows of a text with separated values (RFC 4180). Skips blank lines. */
function csvRows(text: string, delimiter: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  for (let at = 0; at <= text.length; at++) {
    const sign = text[at] ?? '\n'
    if (sign === '"' && isQuoted && text[at + 1] === '"') cell += text[++at]
    else if (sign === '"') isQuoted = !isQuoted
    else if (at === text.length || (!isQuoted && (sign === '\n' || sign === delimiter))) {
      row.push(cell.trim())
      cell = ''
      if (sign === delimiter) continue
      if (row.some((value) => value !== '')) rows.push(row)
      row = []
    } else cell += sign
  }
  return rows
}

function languageOf(rest: string, name: string): string {
  const language = rest.trim().toLowerCase()
  if (/^[\w+#.-]{1,24}$/.test(language) && language !== 'none' && language !== 'text') return language
  return words.python.includes(name) ? 'python' : ''
}

/** Splits off the options, which directly follow the directive before its first blank line. */
function withoutOptions(lines: string[]): { options: Map<string, string>; body: string[] } {
  const options = new Map<string, string>()
  let at = 0
  for (; at < lines.length; at++) {
    const option = /^:([\w-]+):\s*(\S.*)?$/.exec(lines[at] ?? '')
    if (!option) break
    options.set(option[1] ?? '', option[2] ?? '')
  }
  while (at < lines.length && (lines[at] ?? '').trim() === '') at++
  return { options, body: lines.slice(at) }
}

/** Converts literals, links and roles of one line or paragraph. Literals come first and stay unchanged. */
function rstInline(text: string): string {
  return text
    .split(/(``[^`](?:[^`]|`(?!`))*``)/)
    .map((part, index) => (index % 2 === 1 ? `\`${part.slice(2, -2)}\`` : prose(part)))
    .join('')
}

function prose(text: string): string {
  if (!text.includes('`') && !text.includes('|') && !text.includes('_')) return text
  return (
    text
      // :role:`text <target>` and :role:`~package.name`
      .replace(/:(?:[\w+-]+:){1,3}`([^`<\n]{1,300}?)\s{0,9}<[^`\n]{1,500}>`/g, (_, label: string) => label.trim())
      .replace(/:(?:ref|doc|term|numref|abbr|guilabel|menuselection):`([^`\n]{1,300})`/g, '$1')
      .replace(/:(?:[\w+-]+:){1,3}`~(?:[^`\n]*\.)?([^`.\n]{1,300})`/g, '`$1`')
      .replace(/:(?:[\w+-]+:){1,3}`!?([^`\n]{1,500})`/g, '`$1`')
      // `text <address>`_
      .replace(/`([^`<\n]{1,500}?)\s{0,9}<(https?:[^`>\s]{1,1000})>`__?/g, '[$1]($2)')
      .replace(/`([^`<\n]{1,500}?)\s{0,9}<[^`>\n]{1,500}>`__?/g, '$1')
      .replace(/`([^`\n]{1,300})`__?/g, '$1')
      .replace(/\|([\w][\w .-]{0,60})\|_{0,2}/g, '$1')
      .replace(/(^|[\s(])([A-Za-z][\w-]{1,60})__?(?=[\s.,;:)]|$)/g, '$1$2')
  )
}
