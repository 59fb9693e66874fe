import { closingBracket } from '#lib/text/closing-bracket.ts'
import { replaceLinks } from '#lib/text/replace-links.ts'
import type { Block, Span } from '../model/document.ts'
import { linesOf, tableOf } from '../model/read-block.ts'
import { declaredName } from '../model/name-key.ts'

export type BlockText = { text: string; blocks: readonly Block[] }

/** Maximum characters read of a line. Rows of real tables and list items are shorter; longer lines are data. */
const MAX_LINE = 10_000

/** A parameter, field or option, read from a table or list. */
export type Parameter = {
  name: string
  type: string | null
  /** Null if the page does not say. */
  required: boolean | null
  /** Location in a request (`path`, `query`, …), or null. */
  place: string | null
  description: string
}

const NAME =
  /^(?:constructor|enum constant|function|member|method|name|field|parameter|param|argument|option|property|prop|attribute|header|variable|key|flag|column|input|value)s?$/i
const TYPE = /^(?:modifier and )?types?$/i
const REQUIRED = /^required\??$|^optional\??$/i
const PLACE = /^(?:in|place|location|where)$/i
const ABOUT = /^(?:description|meaning|details?|notes?|purpose|what it does)$/i

/** A parameter of which a page says only some members. */
export function parameter(name: string, known: Partial<Parameter>): Parameter {
  return { name, type: null, required: null, place: null, description: '', ...known }
}

/** Reads parameters from tables, or else from a list, a list of Sphinx, or paragraphs with name and type. */
export function readParameters({ text, blocks }: BlockText): Parameter[] {
  const told = blocks.flatMap((block) => (block.kind === 'table' ? fromTable(text, block) : []))
  return told.length > 0 ? told : parametersIn(proseLines({ text, blocks }))
}

/** Reads parameters from lines of prose. */
export function parametersIn(lines: readonly string[]): Parameter[] {
  const listed = fromList(lines)
  if (listed.length > 0) return listed
  const inBold = fromBoldList(lines)
  return inBold.length > 0 ? inBold : fromPairs(lines)
}

/** Lines of prose that are not blank, each truncated to `MAX_LINE`. */
export function proseLines({ text, blocks }: BlockText): string[] {
  return blocks
    .filter(({ kind }) => kind !== 'code' && kind !== 'table' && kind !== 'heading')
    .flatMap((block) => [...linesOf(text, block)])
    .map(({ start, end }) => text.slice(start, Math.min(end, start + MAX_LINE)))
    .filter((line) => line.trim() !== '')
}

function fromTable(text: string, block: Span): Parameter[] {
  const { header, rows } = tableOf(text, block)
  const read = (cell: Span | undefined) => (cell ? text.slice(cell.start, cell.end).replaceAll('\\|', '|') : '')
  const head = (header?.cells ?? []).map((cell) => plain(read(cell)))
  const find = (pattern: RegExp) => head.findIndex((cell) => pattern.test(cell))
  const [name = -1, type = -1, required = -1, place = -1, about = -1] = [NAME, TYPE, REQUIRED, PLACE, ABOUT].map(find)
  if (name < 0) return []
  const isOptional = /^optional/i.test(head[required] ?? '')
  return rows.flatMap(({ cells }) => {
    const own = plain(read(cells[name]))
    if (own === '') return []
    const yes = /^(?:yes|true|required|✓|✔|✅|x)/i.test(plain(read(cells[required])))
    return parameter(own, {
      type: plain(read(cells[type])) || null,
      required: required < 0 ? null : isOptional !== yes,
      place: plain(read(cells[place])) || null,
      description: read(cells[about]),
    })
  })
}

const ITEM =
  /^\s{0,12}[-*+]\s+(?:\*\*)?(?:\*?_?(optional|required)_?\*?:?\s+)?(?:\*\*)?`([^`\n]{1,120})`(?:\*\*)?\s*(?:[(<[{]\s*(?!\s)([^)\]}\n]{1,120}?)\s*[)>\]}]\s*)?(?:[:–—.-]\s*)?(.*)/is

const BOLD_ITEM = /^\s{0,12}[-*+]\s+\*\*(\*{0,2}[\w$.-]{1,80})\*\*(?=[\s:]|$)/

/** The lists of Sphinx: `- **name** (*Optional**[**str**]*) – description`. Empty if no item has a type. */
function fromBoldList(lines: readonly string[]): Parameter[] {
  const items = nested(lines, (line) => {
    const [mark, name = ''] = BOLD_ITEM.exec(line) ?? []
    if (mark === undefined) return null
    const rest = line.slice(mark.length).replace(/^:/, '').trim()
    const [coded, inCode] = /^`([^`\n]{1,200})`/.exec(rest) ?? []
    const end = rest.startsWith('(*') ? rest.indexOf('*)') : -1
    const type = inCode ?? (end < 0 ? null : rest.slice(1, end).replaceAll('*', ''))
    const below = rest.slice(coded?.length ?? (end < 0 ? 0 : end + 2)).trim()
    const description = below.replace(/^\((?:optional|required)\)/i, '').replace(/^\s{0,3}[–—-]\s{0,3}/, '')
    const required = /^\(optional\)/i.test(below) ? false : /^\(required\)/i.test(below) || null
    return parameter(name, { type, required, description })
  })
  return items.some(({ type }) => type !== null) ? items : []
}

/** A paragraph with a name and its type, as in a system catalogue: `` `relname` `name` ``. */
const PAIR = /^`([\w$.]{1,80})` `([^`\n]{1,80})`(?: \(references [^\n]{0,300}\))?$/
/** One pair is no list of fields. */
const LEAST_PAIRS = 2

/** Paragraphs with a name and its type, each with its description below. */
function fromPairs(lines: readonly string[]): Parameter[] {
  const pairs = lines.flatMap((line, at) => {
    const [, name, type] = PAIR.exec(line.trim()) ?? []
    if (name === undefined || type === undefined) return []
    const below = lines[at + 1] ?? ''
    return parameter(name, { type, description: PAIR.test(below) ? '' : below.trim() })
  })
  return pairs.length >= LEAST_PAIRS ? pairs : []
}

/** Types without fields of their own. Items below them are values. */
const SCALAR = /^(?:string|str|number|int|integer|float|bool|boolean|enum)\b/i

/** Parameters of the items of a list. Those below another one are its fields: `options.encoding`. */
function nested(lines: readonly string[], read: (line: string) => Parameter | null): Parameter[] {
  const open: { indent: number; name: string; type: string | null }[] = []
  return lines.flatMap((line) => {
    const own = read(line)
    if (own === null) return []
    const indent = line.search(/\S/)
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop()
    const holder = open.at(-1)
    if (holder && SCALAR.test(holder.type ?? '') && own.type === null) return []
    const name = holder ? `${holder.name}.${own.name}` : own.name
    open.push({ indent, name, type: own.type })
    return [{ ...own, name }]
  })
}

function fromList(lines: readonly string[]): Parameter[] {
  return nested(lines, (line) => {
    const found = ITEM.exec(line)
    if (!found) return null
    const [, mark = '', name = '', bracketed, below = ''] = found
    // A type can be a link: `[<string>](https://…)`.
    const rest = below.replace(/^\]\([^()\s]*\)\s*/, '')
    const given = bracketed?.replace(/^</, '')
    const [own = name, declared = ''] = name.split(/(?<!\s)\s*:\s+/, 2)
    const type = given?.replaceAll(/(?:,\s*|(?<!\s)\s*)\b(?:optional|required)\b,?\s*/gi, '').replaceAll('`', '')
    const said = `${mark} ${given ?? ''}`
    const isOptional = /\boptional\b/i.test(said) || /^\*?\*?optional\b/i.test(rest)
    const required = isOptional ? false : /\brequired\b/i.test(said) || null
    const known = { type: (type?.trim() ?? declared) || null, required, description: rest.trim() }
    return parameter(own.replace(/[?:]$/, ''), known)
  })
}

function plain(cell: string): string {
  return replaceLinks(cell.replaceAll(/[`*]/g, ''), ({ label, isPicture }) => (isPicture ? `!${label}` : label)).trim()
}

const MODIFIERS =
  /^(?:(?:\[[\w, ]+\]|pub|public|protected|private|static|final|abstract|default|virtual|inline|constexpr|explicit|const fn|template ?<.*>)\s+)+/

/** Parses a signature like C's, or with types after the names (`fn drain(&mut self, range: R)`). Null for others. */
export function readSignature(signature: string) {
  const line = signature.replaceAll(/\s+/g, ' ').trim()
  const open = line.indexOf('(', line.includes('operator()') ? line.indexOf('operator()') + 10 : 0)
  const close = closingBracket(line, open)
  if (open < 0 || close < 0) return null
  const parameters = splitArguments(line.slice(open + 1, close)).flatMap(parameterOf)
  const arrow = /^\s*->\s*(\S.*)$/.exec(line.slice(close + 1))?.[1]?.split(/ where\b/, 1)[0]
  return { parameters, returns: arrow ?? typeBefore(line, open) }
}

/** Return type before a qualified name, without modifiers. */
function typeBefore(line: string, open: number): string | null {
  const name = declaredName(line)
  if (name === null || !name.includes('::')) return null
  const before = line.slice(0, line.lastIndexOf(name, open)).replace(MODIFIERS, '').trim()
  return before === '' || before === 'void' ? null : before
}

function parameterOf(text: string): Parameter[] {
  const [declared = '', fallback] = text.split(/(?<!\s)\s*=\s*/, 2)
  const plain = declared.trim()
  if (plain === '' || plain === 'void' || /(?:^|\W)self$/.test(plain) || /^[*/.…]+$/.test(plain)) return []
  const typed = /^([\w$*]+\??)\s*:(?!:)\s*(\S.*)$/.exec(plain)
  const spoken = /^(.*?[\s*&>])([\w$]+)(\[\w*\])?$/.exec(plain)
  const name = typed?.[1] ?? spoken?.[2] ?? plain
  const type = typed?.[2] ?? spoken?.[1]?.trim() ?? null
  const isOptional = fallback !== undefined || name.endsWith('?')
  return [parameter(name.replace(/\?$/, ''), { type, required: isOptional ? false : null })]
}

function splitArguments(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (const [at, sign] of [...text].entries()) {
    if ('([{<'.includes(sign)) depth++
    else if (')]}'.includes(sign) || (sign === '>' && text[at - 1] !== '-')) depth--
    else if (sign === ',' && depth === 0) {
      parts.push(text.slice(from, at))
      from = at + 1
    }
  }
  return [...parts, text.slice(from)]
}
