import { fenced } from './repository-file.ts'

const CODE = /^(code|code-block|sourcecode|highlight-block|parsed-literal|literal|prompt|ipython|doctest|testcode)$/
const NOTES =
  /^(note|warning|tip|important|caution|attention|danger|error|hint|seealso|admonition|versionadded|versionchanged|deprecated)$/
/** Layout directives, and placeholders that a program fills in. */
const SILENT =
  /^(toctree|contents|index|image|figure|include|literalinclude|raw|highlight|meta|module|currentmodule|automodule|autoclass|autofunction|automethod|autosummary|tabularcolumns|sectnum|default-role|role|only-html|plot|graphviz|mermaid)$/
/** Object directives of Sphinx domains, which describe code. */
const OBJECT =
  /^(?:\w+:)?(function|class|method|classmethod|staticmethod|attribute|data|exception|decorator|module|type|macro|struct|enum|member|var|property|option|envvar|confval|describe|object|program)$/

/** Directives for options and settings. Each is a section with the anchor that Sphinx gives it. */
const OPTION = /^(?:\w+:)?(?:option|cmdoption|envvar|confval)$/

type Directive = { name: string; rest: string; lines: string[]; level: number; program: string }
type Convert = (lines: string[]) => string[]

/**
 * Converts a reStructuredText directive to lines of Markdown. `rest` is the text after its name, `lines` the dedented
 * lines below, `level` that of a heading for it, `program` the command that has the option.
 */
export function rstDirective({ name, rest, lines, level, program }: Directive, convert: Convert): string[] {
  const { options, body } = withoutOptions(lines)
  const [, kind = name] = OBJECT.exec(name) ?? []
  if (CODE.test(name)) return [fenced(body.join('\n'), languageOf(rest, name))]
  if (NOTES.test(name)) {
    const label = name === 'admonition' ? rstInline(rest) : labelOf(name, rest)
    const text = name === 'admonition' || /^version|^deprecated/.test(name) ? '' : rstInline(rest)
    return [`**${label}**`, '', ...(text ? [text] : []), ...convert(body)]
  }
  if (name === 'list-table') return [rstInline(rest), '', ...listTable(body, convert)]
  if (name === 'csv-table') return [rstInline(rest), '', ...convert(body)]
  if (name === 'image' || name === 'figure') return [options.get('alt') ?? '', ...convert(body)]
  if (SILENT.test(name)) return []
  if (OPTION.test(name)) {
    const anchor = anchorOf(rest, program)
    return ['', `${'#'.repeat(Math.min(6, level))} ${rest.trim()}${anchor && ` {#${anchor}}`}`, '', ...convert(body)]
  }
  if (OBJECT.test(name) && kind !== 'program') return [fenced(rest.trim()), '', ...convert(body)]
  return [rstInline(rest), '', ...convert(body)]
}

/** Returns the anchor that Sphinx gives an option: `cmdoption-f` for `-f FILE, --file FILE`. */
function anchorOf(rest: string, program: string): string {
  const first = /^(-{0,2}[\w.-]+)/.exec(rest.trim())?.[1] ?? ''
  if (first === '') return ''
  return first.startsWith('-') ? `cmdoption-${program && `${program}-`}${first.replace(/^-+/, '')}` : first
}

/** Converts a list of lists, each a row, to a table. Other content stays as it is. */
function listTable(body: readonly string[], convert: Convert): string[] {
  const rows: string[][][] = []
  let cell: string[] = []
  for (const line of body) {
    const row = /^([*-] )([*-])(?: (.*)|$)/.exec(line)
    const next = row ? null : /^ {2}([*-])(?: (.*)|$)/.exec(line)
    if (!row && !next && rows.length === 0 && line.trim() !== '') return convert([...body])
    if (row) rows.push([(cell = [row[3] ?? ''])])
    else if (next) rows.at(-1)?.push((cell = [next[2] ?? '']))
    else cell.push(line.trim())
  }
  const [head = [], ...others] = rows.map((cells) =>
    cells.map((text) => convert(text).join(' ').replaceAll(/\s+/g, ' ').trim()),
  )
  const line = (cells: readonly string[]) => `| ${cells.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`
  return head.length === 0 ? [] : [line(head), `|${' --- |'.repeat(head.length)}`, ...others.map(line)]
}

function labelOf(name: string, rest: string): string {
  const version = rest.trim().split(/\s/, 1)[0] ?? ''
  const more = rstInline(rest.trim().slice(version.length).trim())
  if (name === 'versionadded') return `Added in version ${version}${more && `: ${more}`}`
  if (name === 'versionchanged') return `Changed in version ${version}${more && `: ${more}`}`
  if (name === 'deprecated') return `Deprecated since version ${version}${more && `: ${more}`}`
  return name === 'seealso' ? 'See also' : `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
}

function languageOf(rest: string, name: string): string {
  const language = rest.trim().toLowerCase()
  if (/^[\w+#.-]{1,24}$/.test(language) && language !== 'none' && language !== 'text') return language
  return /^(ipython|doctest|testcode)$/.test(name) ? 'python' : ''
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

/**
 * Converts inline reStructuredText to Markdown: literals, links and roles. The text is one line or paragraph. Literals
 * have priority, and nothing inside them changes.
 */
export function rstInline(text: string): string {
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
