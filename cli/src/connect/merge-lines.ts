import { tomlTable, yamlEntry } from '@docent/contract/values/client-config'
import { MergeError } from './merge-json.ts'

type Entry = { at: string; name: string; entry: Record<string, unknown> }

/** Sets one table of a TOML file: `[at.name]`. All other lines stay. Throws `MergeError` for other ways to write it. */
export function mergeToml(text: string, { at, name, entry }: Entry): string {
  const lines = text.split('\n')
  let table = ''
  let isInText = false
  const kept: string[] = []
  let place = -1
  for (const line of lines) {
    const header = isInText ? null : /^\s*\[\[?([^\]]+)\]/.exec(line)
    if (header) table = pathOf(header[1] ?? '')
    else if (!isInText) refuseOtherForm(table, line, { at, name })
    const isOwn = table === `${at}.${name}` || table.startsWith(`${at}.${name}.`)
    if (isOwn && place < 0) place = kept.length
    if (!isOwn) kept.push(line)
    // A text over several lines can look like a table.
    if (((line.match(/"""|'''/g) ?? []).length & 1) === 1) isInText = !isInText
  }
  const written = tomlTable(`${at}.${name}`, entry)
  if (place < 0) return `${[text.trimEnd(), written].filter(Boolean).join('\n\n')}\n`
  const after = kept.slice(place)
  return joinBlocks(kept.slice(0, place), after.length > 0 ? [written, ''] : [written], after)
}

/** `mcp_servers."my-docs"` and `mcp_servers.my-docs` are one table. */
const pathOf = (header: string): string =>
  header
    .split('.')
    .map((part) => part.trim().replaceAll(/^["']|["']$/g, ''))
    .join('.')

function refuseOtherForm(table: string, line: string, { at, name }: Omit<Entry, 'entry'>): void {
  const key = pathOf(line.split('=')[0] ?? '')
  const isOther = (table === '' && (key === at || key === `${at}.${name}`)) || (table === at && key === name)
  if (line.includes('=') && isOther) throw new MergeError(`It has ${at} in a form that a program cannot change safely.`)
}

/** Sets one entry of a mapping of a YAML file. All other lines stay. Throws `MergeError` for other ways to write it. */
export function mergeYaml(text: string, { at, name, entry }: Entry): string {
  const lines = text.split('\n')
  const head = lines.findIndex((line) => new RegExp(`^["']?${at}["']?\\s*:`).test(line))
  if (head < 0) return `${[text.trimEnd(), `${at}:`, ...yamlEntry(name, entry, '  ')].filter(Boolean).join('\n')}\n`
  const end = endOfBlock(lines, head)
  const rest = valueOf(lines[head] ?? '')
  const body = lines.slice(head + 1, end)
  const first = body.find((line) => /\S/.test(line) && !/^\s*#/.test(line))
  const isEmpty = first === undefined && ['', '{}', '~', 'null'].includes(rest)
  const indent = /^ */.exec(first ?? '  ')?.[0] ?? ''
  if (!isEmpty && (rest !== '' || indent === '' || /^\s*(?:-|\t)/.test(first ?? ''))) {
    throw new MergeError(`It has ${at} in a form that a program cannot change safely.`)
  }
  const own = ownLines(body, name, indent)
  const before = [...lines.slice(0, head), isEmpty ? `${at}:` : (lines[head] ?? ''), ...body.slice(0, own.start)]
  return joinBlocks(before, yamlEntry(name, entry, indent), [...body.slice(own.end), ...lines.slice(end)])
}

/** The value on the line of a key, without a comment. */
function valueOf(line: string): string {
  const value = ` ${line.slice(line.indexOf(':') + 1)}`
  const comment = value.indexOf(' #')
  return (comment < 0 ? value : value.slice(0, comment)).trim()
}

/** Index of the first line after a mapping. Blank lines and comments before it belong to what follows. */
function endOfBlock(lines: readonly string[], head: number): number {
  const next = lines.findIndex((line, at) => at > head && /^(?:[^\s#-]|---)/.test(line))
  let end = next < 0 ? lines.length : next
  while (end > head + 1 && !/^(?:\s+[^\s#]|-)/.test(lines[end - 1] ?? '')) end--
  return end
}

/** The lines of an entry, or the place for it at the end. */
function ownLines(body: readonly string[], name: string, indent: string): { start: number; end: number } {
  const start = body.findIndex((line) => {
    return line.startsWith(indent) && /^(["']?)([\w-]+)\1\s*:/.exec(line.slice(indent.length))?.[2] === name
  })
  if (start < 0) return { start: body.length, end: body.length }
  const next = body.findIndex((line, at) => at > start && /\S/.test(line) && !line.startsWith(`${indent} `))
  return { start, end: next < 0 ? body.length : next }
}

function joinBlocks(before: readonly string[], own: readonly string[], after: readonly string[]): string {
  const text = [...before, ...own, ...after].join('\n')
  return text.endsWith('\n') ? text : `${text}\n`
}
