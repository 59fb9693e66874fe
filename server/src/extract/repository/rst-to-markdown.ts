import { fenced } from './repository-file.ts'
import { rstDirective, rstInline } from './rst-directive.ts'

const UNDERLINE = /^([=\-`:.'"~^_*+#<>!$%&,/;?@[\]{|}\\()])\1{2,}\s*$/
const DIRECTIVE = /^(\s*)\.\. ([\w:+.-]+)::(?:\s+(\S.*)?)?$/

/**
 * Converts the reStructuredText that documentation uses to Markdown. Converts sections (levels in order of first
 * underline), directives for code, notes and objects, literal blocks, links and roles. Keeps tables as drawn. Removes
 * comments, targets, and layout directives.
 */
export function rstToMarkdown(rst: string): string {
  return convert(rst.split('\n'), { underlines: [], level: 0, program: '' })
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
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
    const directive = DIRECTIVE.exec(line)
    if (directive) {
      const [, margin = '', name = '', rest = ''] = directive
      const body = indentedAfter(lines, at, margin.length)
      if (/(?:^|:)program$/.test(name)) state.program = rest.trim().replaceAll(/\s+/g, '-')
      const below = { ...state, level: state.level + 1 }
      const given = { name, rest, lines: body.lines, level: below.level, program: state.program }
      out.push('', ...rstDirective(given, (inner) => convert(inner, below)), '')
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
