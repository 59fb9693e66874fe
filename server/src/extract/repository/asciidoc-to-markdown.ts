import { fenced, joinLines, tableLines } from '../markdown/write-markdown.ts'

const ATTRIBUTE = /^:(!?[\w-]+!?):(?:\s+(\S.*)?)?$/
const BLOCK_ATTRIBUTES = /^\[(.*)\]\s*$/
const VERBATIM = /^(-{4,}|\.{4,}|`{3,}|\+{4,})(\w*)\s*$/
/** Blocks that only enclose other blocks. */
const FRAME = /^(={4,}|\*{4,}|_{4,}|--)\s*$/
const ADMONITION = /^(NOTE|TIP|WARNING|IMPORTANT|CAUTION)(?::\s+(\S.*)?)?$/

type State = {
  attributes: Map<string, string>
  /** Attributes for the next block, from the line above it. */
  next: string[]
}

/**
 * Converts the AsciiDoc that documentation uses to Markdown: titles, listings with their language, lists, tables,
 * notes, links and attributes. Removes comments, includes and conditions.
 */
export function asciidocToMarkdown(asciidoc: string): string {
  const lines = asciidoc.split('\n')
  const out: string[] = []
  const state: State = { attributes: new Map(), next: [] }
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? ''
    const verbatim = VERBATIM.exec(line)
    if (verbatim) {
      const end = closing(lines, at)
      out.push('', fenced(lines.slice(at + 1, end).join('\n'), verbatim[2] || languageOf(state.next)), '')
      at = end + 1
    } else if (line.startsWith('|===')) {
      const end = closing(lines, at)
      out.push('', ...table(lines.slice(at + 1, end), state), '')
      at = end + 1
    } else if (/^\/{4,}\s*$/.test(line)) {
      at = closing(lines, at) + 1
      continue
    } else {
      at++
      if (isSilent(line, state)) continue
      const added = textLine(line, state)
      const term = sharedTerm(out.at(-1), added)
      if (term === null) out.push(...added)
      else out[out.length - 1] = term
    }
    state.next = []
  }
  return joinLines(out)
}

/** Returns true for lines without output, and stores the attributes that they set. */
function isSilent(line: string, { attributes, next }: State): boolean {
  const attribute = ATTRIBUTE.exec(line)
  if (attribute) {
    attributes.set(attribute[1] ?? '', (attribute[2] ?? '').trim())
    return true
  }
  const block = BLOCK_ATTRIBUTES.exec(line)
  if (block && !/^\[\[?[^\]]*\]\]?\s*\S/.test(line.replace(BLOCK_ATTRIBUTES, ''))) {
    next.push(...(block[1] ?? '').split(',').map((part) => part.trim()))
    return true
  }
  return /^\/\/(?!\/)|^(include|ifdef|ifndef|ifeval|endif|toc|image|video)::/.test(line) || FRAME.test(line)
}

function textLine(line: string, { attributes, next }: State): string[] {
  const inline = (text: string) => asciidocInline(text, attributes)
  const heading = /^(={1,6}|#{1,6})\s+(\S.*)$/.exec(line)
  if (heading) return ['', `${'#'.repeat(heading[1]?.length ?? 1)} ${inline(heading[2] ?? '')}`, '']
  const admonition = ADMONITION.exec(line)
  if (admonition?.[2] !== undefined) return ['', `**${capital(admonition[1] ?? '')}:** ${inline(admonition[2])}`]
  const lead = next.find((part) => ADMONITION.test(part))
  const title = /^\.([^\s.].*)$/.exec(line)
  if (title) return ['', `**${inline(title[1] ?? '')}**`, '']
  const item = /^\s*(\*{1,5}|-|\.{1,5})\s+(\S.*)$/.exec(line)
  if (item) {
    const mark = item[1] ?? '*'
    return [`${'  '.repeat(mark.length - 1)}${mark.startsWith('.') ? '1.' : '-'} ${inline(item[2] ?? '')}`]
  }
  const term = /^(\S.{0,200}?)(?<!:)::+(?!:)(?:\s+(\S.*)?)?$/s.exec(line)
  if (term) return ['', `- **${inline(term[1] ?? '')}** ${inline(term[2] ?? '')}`.trimEnd()]
  if (line.trim() === '+') return ['']
  return lead ? [`**${capital(lead)}:** ${inline(line)}`] : [inline(line)]
}

const TERM = /^- \*\*(.*)\*\*/

/** The terms of a description that several share, as one item. Null if the line before is no term without a text. */
function sharedTerm(before = '', [, added = '']: readonly string[]): string | null {
  const [whole, term] = TERM.exec(before) ?? []
  return whole === before && TERM.test(added) ? added.replace('**', () => `**${term}, `) : null
}

/** Renders a table with one row or one cell per line. In the second case `cols` sets the number of columns. */
function table(lines: string[], { attributes, next }: State): string[] {
  const rows = lines.filter((line) => line.startsWith('|')).map((line) => line.slice(1).split(/(?<!\\)\|/))
  const declared = /cols="?([^"]*)/.exec(next.join(','))?.[1]?.split(',').length ?? 0
  const columns = Math.max(1, rows[0]?.length ?? 1, rows[0]?.length === 1 ? declared : 0)
  const cells = rows.flat().map((cell) => asciidocInline(cell.trim(), attributes))
  const chunks = Map.groupBy(cells.entries(), ([index]) => Math.floor(index / columns))
  return tableLines([...chunks.values()].map((row) => row.map(([, cell]) => cell)))
}

/** Returns the index of the line that closes the block at `at`, or the number of lines if none does. */
function closing(lines: string[], at: number): number {
  const mark = (lines[at] ?? '').trimEnd().replace(/^(`{3,})\w+$/, '$1')
  const end = lines.findIndex((line, index) => index > at && line.trimEnd() === mark)
  return end < 0 ? lines.length : end
}

function languageOf(attributes: string[]): string {
  const [style, language] = attributes
  const named = style === 'source' || style === '' ? language : style?.startsWith('source%') ? language : undefined
  return named && /^[\w+#.-]{1,24}$/.test(named) ? named.toLowerCase() : ''
}

function capital(word: string): string {
  return `${word.slice(0, 1)}${word.slice(1).toLowerCase()}`
}

function asciidocInline(text: string, attributes: ReadonlyMap<string, string>): string {
  return text
    .replace(/\{([\w-]{1,60})\}/g, (whole, name: string) => attributes.get(name) ?? whole)
    .replace(/`\+([^`\n]{1,500}?)\+`/g, '`$1`')
    .replace(/(?:link|xref|mailto):([^\s[\]]{1,1000})\[([^\]\n]{0,500})\]/g, (_, target: string, label: string) =>
      linked(target, label),
    )
    .replace(
      /(^|[\s(<])(https?:\/\/[^\s[\]<>]{1,1000})\[([^\]\n]{0,500})\]/g,
      (_, before: string, target: string, label: string) => `${before === '<' ? '' : before}${linked(target, label)}`,
    )
    .replace(/<<([^<,>\n]{1,200})(?:,\s{0,9}([^<>\n]{1,300}))?>>/g, (_, id: string, label?: string) => label ?? id)
    .replace(/(?:kbd|btn|menu|footnote|icon|image):[^\s[\]]{0,300}\[([^\]\n]{0,500})\]/g, '$1')
    .replace(/\[\[[^\]\n]{1,200}\]\]|\[#[^\]\n]{1,200}\](?=#)/g, '')
    .replace(/(^|[\s(])\*(?![\s*])([^*\n]{1,300}?)\*(?=[\s.,;:!?)]|$)/g, '$1**$2**')
    .replace(/ \+$/, '')
}

function linked(target: string, label: string): string {
  const text = label.replace(/\^$/, '').split(/,\s*(?:window|role|opts)=/)[0] ?? ''
  if (/^https?:/.test(target)) return text ? `[${text}](${target})` : target
  return text || target.replace(/^.*#/, '').replace(/\.adoc$/, '')
}
