import { closingBracket } from '#lib/text/closing-bracket.ts'
import type { Block, CodeBlock, Entry, EntryKind, HeadingBlock, Section, Span } from '../document.ts'
import { askedKeys, declaredName, nameHash, nameKeys, subcommandOf, isSentence } from '../name-key.ts'
import { linesOf, tableOf } from '../read-block.ts'
import { plainInline } from '../markdown-blocks.ts'

/** Characters of an entry. The entries of large manuals have a few paragraphs. */
const LONGEST = 2_000
/** Longer paragraphs and code are no names. */
const MAX_NAME = 200

/** A paragraph that is a name: `beresp.ttl`, `PROMPT_SUBST <K>`. */
const PARAGRAPH =
  /^(?:\*\*|`)?(?:-{1,2}[A-Za-z]|[A-Za-z_$])[\w$]{0,80}(?:[._$-][\w$.-]{1,80})?(?:\*\*|`)?(?:[ \t][<([][^\n]{0,60})?$/
/** An unmarked word is a name only with such a spelling. */
const SPELT = /^[*`-]|[\w$][_.$-][\w$]|[a-z][A-Z]|^[A-Z]{2}/
/** Code of one line: `--num-callers=<number> [default: 12]`. */
const CODE = /^-{0,2}[A-Za-z_$][\w.$-]{1,80}(?=[=<[]|$|[ \t][<[])/
/** The id of an operation of an API, as its page says it. */
const OPERATION = /^Operation: (`[^`\n]{1,200}`)\.$/

type Own = Exclude<Block, HeadingBlock>
/**
 * Entries that manuals print without headings: a name as a paragraph, as code of one line or as the header of a table,
 * and the text below it. Each ends with the next one or with the section. Also the functions that the first code of a
 * section declares, and the id of an operation.
 */
export function bareEntries(text: string, section: Section): Entry[] {
  const { blocks, end } = section
  const named = blocks.flatMap((block, at): { start: number; name: Span; form: 'text' | 'table' }[] => {
    if (blocks[at + 1] === undefined) return []
    const name = nameOf(text, block)
    return name === null ? [] : [{ start: block.start, name, form: block.kind === 'table' ? 'table' : 'text' }]
  })
  const next = { text: end, table: end }
  const bare = named.toReversed().flatMap(({ start, name, form }) => {
    const own = { start, end: Math.min(next[form], start + LONGEST) }
    next[form] = start
    return labelEntry(text, own, name) ?? []
  })
  return [...declared(text, section), ...blocks.flatMap((block) => operation(text, block)), ...bare]
}

function nameOf(text: string, block: Own): Span | null {
  if (block.end - block.start > MAX_NAME && block.kind !== 'table') return null
  if (block.kind === 'code') return codeName(text, block)
  if (block.kind === 'table') return headerName(text, block)
  if (block.kind !== 'paragraph') return null
  // Most paragraphs are prose. Only a value or an index follows a name.
  const written = text.slice(block.start, block.end)
  const space = written.indexOf(' ')
  if (space >= 0 && space < written.length - 1 && !'<(['.includes(written[space + 1] ?? '')) return null
  const own = written.trimEnd()
  return PARAGRAPH.test(own) && SPELT.test(own) ? { start: block.start, end: block.start + own.length } : null
}

function codeName(text: string, { codeStart, codeEnd }: CodeBlock): Span | null {
  const code = text.slice(codeStart, codeEnd)
  const name = code.includes('\n') ? undefined : CODE.exec(code)?.[0]
  return name === undefined || !SPELT.test(name) ? null : { start: codeStart, end: codeStart + name.length }
}

/** The name in a header without rows: `| message_size_limit | Use: main | Type: string |`. */
function headerName(text: string, block: Span): Span | null {
  const rule = text.indexOf('\n', block.start)
  const third = text.indexOf('\n', rule + 1)
  if (block.end - block.start > LONGEST || (rule > 0 && third > 0 && third < block.end - 1)) return null
  const { header, rows } = tableOf(text, block)
  const cell = header?.cells[0]
  const isName = cell !== undefined && rows.length === 0 && PARAGRAPH.test(text.slice(cell.start, cell.end))
  return isName ? cell : null
}

function declared(text: string, { start, end, blocks }: Section): Entry[] {
  const code = blocks.find((block) => block.kind === 'code')
  if (code === undefined) return []
  return prototypesIn(text, code).map((name) => ({
    kind: 'member',
    start,
    end,
    name,
    keys: [nameHash(text.slice(name.start, name.end).toLowerCase())],
  }))
}

function operation(text: string, block: Own): Entry[] {
  if (block.kind !== 'paragraph' || !text.startsWith('Operation: `', block.start)) return []
  const [, id = ''] = OPERATION.exec(text.slice(block.start, block.end)) ?? []
  const name = { start: block.start + 'Operation: '.length, end: block.start + 'Operation: '.length + id.length }
  const [key] = askedKeys(id).whole
  return key === undefined
    ? []
    : [{ kind: 'endpoint', start: block.start, end: block.end, name, keys: [nameHash(key)] }]
}

/** Lines of code that declares. More are an example. */
const MOST_LINES = 40
/** Characters of one declaration. */
const LONGEST_DECLARATION = 1_000
/** Line starts that are statements with a call. */
const STATEMENT = /^[ \t]*(?:return|await|new|else|throw|yield|assert|default|export default|case|in|typeof|select)\b/i
/** The types before the declared name. */
const TYPES = /^[ \t]*\w[\w:<>,*& \t]*[\s*&]$/
const WORD = /[\w$]/

/** Names of the functions that code declares without bodies: `int name(char *text);`. A call is no declaration. */
function prototypesIn(text: string, { codeStart, codeEnd }: CodeBlock): Span[] {
  const code = text.slice(codeStart, codeEnd)
  const names: Span[] = []
  if (!code.includes('(') || !code.includes(';')) return names
  let lines = 0
  for (const { start, end } of linesOf(code, { start: 0, end: code.length })) {
    if (++lines > MOST_LINES || names.length >= MOST_NAMES) break
    const open = code.indexOf('(', start)
    if (open < 0) break
    if (open >= end || open - start > LONGEST_DECLARATION) continue
    const name = nameBefore(code, start, open)
    if (name !== null && endsAt(code, open, Math.min(code.length, open + LONGEST_DECLARATION)))
      names.push({ start: codeStart + name.start, end: codeStart + name.end })
  }
  return names
}

function nameBefore(text: string, start: number, open: number): Span | null {
  let end = open
  while (end > start && text[end - 1] === ' ') end--
  let from = end
  while (from > start && WORD.test(text[from - 1] ?? '')) from--
  const before = text.slice(start, from)
  return from < end && TYPES.test(before) && !STATEMENT.test(before) ? { start: from, end } : null
}

/** True if a semicolon follows the parenthesis that closes the parameters. */
function endsAt(text: string, open: number, limit: number): boolean {
  const close = closingBracket(text, open, limit)
  return close >= 0 && /^[^{}\n=]{0,100};/.test(text.slice(close + 1, Math.min(limit, close + 120)))
}

/** A longer first cell, term or label is prose. */
const MAX_LABEL = 120
const MOST_WORDS = 5
/** Names in one label, and functions that one block declares. */
const MOST_NAMES = 8

/** Names that share a label: `-p, --port`, `read / write`. */
const BETWEEN = /,\s|\s\/\s|<br ?\/?>|\s\|\s/
/** A name with its value behind it: `limit=N`, `PATH <folder>`, `size INTEGER`. */
const VALUED = /^[\w.$@-]{1,80}(?=[ =]?[<[({]|[=:]|\s[A-Z<[{])/
const IDENTIFIER = /[\w$][_.$-][\w$]|[a-z][A-Z]|^[A-Z_]{2}/

/** Labels of parts that any entry has. Nobody looks them up. */
const GENERIC = new Set(
  'arguments author authors contents default description example examples important note notes overview parameters references return returns see synopsis tip type value warning'.split(
    ' ',
  ),
)

/** The entry with a label, or null if the label is no name. */
export function labelEntry(text: string, own: Span, label: Span, kind?: EntryKind): Entry | null {
  if (label.end - label.start > MAX_LABEL) return null
  const names = namesIn(text.slice(label.start, label.end))
  const keys = new Set(names.flatMap((name) => keysOf(name).map(nameHash)))
  if (keys.size === 0) return null
  return { kind: kind ?? nameKind(names[0] ?? ''), ...own, name: label, keys: [...keys] }
}

/** The names in a label, as plain text. */
export function namesIn(label: string): string[] {
  const plain = plainInline(label).replaceAll('\\', '').trim()
  if (!/\p{L}/u.test(plain)) return []
  const code = label.startsWith('`')
  return plain
    .split(BETWEEN, MOST_NAMES)
    .map((name) => name.trim())
    .filter((name) => name !== '' && (code || name.split(/\s/, MOST_WORDS + 1).length <= MOST_WORDS))
}

function keysOf(name: string): string[] {
  const bare = name.replace(/[:：.]$/, '')
  if (GENERIC.has(bare.toLowerCase())) return []
  const keys = nameKeys(bare)
  const valued = VALUED.exec(bare)?.[0]
  if (valued !== undefined && IDENTIFIER.test(valued)) keys.push(valued.toLowerCase())
  return keys
}

const ENDPOINT = /\b(?:GET|PUT|POST|DELETE|PATCH|HEAD|OPTIONS|TRACE|QUERY) (?:https?:\/\/|\/)/
/** `ERR_TIMEOUT`, `ENOENT`, `TypeError`, `error: no such file`. */
const MESSAGE =
  /^(?:ERR_\w+|[A-Z]{1,8}_ERR_\w+|E[A-Z]{4,}\d*|[A-Z]{1,6}\d{3,6})$|^[\w.]*(?:Error|Exception)$|^(?:[Ee]rror|[Ww]arning)\b.*: /
/** `class Flask`, `Router.use(path)`, `sf::Sprite`. */
const DECLARED =
  /^(?:abstract |async |const |export |public |static ){0,3}(?:class|def|enum|fn|func|function|interface|method|property|struct|trait|type) \S|\w\((?!s?\)\s\S|\d+\))|^(?=\w*(?:_\w|[a-z][A-Z]))\w+ \((?!\d+\))|\w(?:::|#|->)\w/
/** Alone, or with a value behind it. */
const BARE = /^[\w$.-]+(?=$|=|\s?[<[{])/

/** Number of a chapter: `4.1.1. `, `(5) `. */
const NUMBERING = /^(?:\(\d+\)|\d+(?:\.\d+)*\.?)\s+(?=\p{L})/u

const OPTION = /\s(?:flag|option)$/

/** The kind of a thing, told by the spelling of its name. */
export function nameKind(written: string): EntryKind {
  const name = written.replace(NUMBERING, '')
  if (isSentence(name)) return OPTION.test(name) ? 'option' : 'definition'
  if (/^PRAGMA\s/.test(name)) return 'setting'
  if (name.startsWith('-') && /^--?\w/.test(name)) return 'option'
  if (ENDPOINT.test(name)) return 'endpoint'
  if (name.endsWith('?')) return 'question'
  if (name.endsWith(' (schema)')) return 'schema'
  if (MESSAGE.test(name)) return 'message'
  if (DECLARED.test(name) || declaredName(name) !== null) return 'member'
  const identifier = BARE.exec(name)?.[0] ?? ''
  // `useState` and `Router.use` are members; `server.port`, `max_connections` and `DOCENT_PORT` are settings.
  if (/[a-z][A-Z]|^[A-Z]\w*\./.test(identifier)) return 'member'
  if (/[\w$][._][\w$]/.test(identifier)) return 'setting'
  if (OPTION.test(name)) return 'option'
  return name.startsWith('$ ') || subcommandOf(name) !== null ? 'command' : 'definition'
}

/** Kinds told by the first cell of a table's header. */
const HEADERS: readonly (readonly [RegExp, EntryKind])[] = [
  [/^(?:option|flag|switch)s?\b/i, 'option'],
  [/^(?:setting|config\w*|directive|(?:environment )?variable|key)s?\b/i, 'setting'],
  [
    /^(?:class|constant|constructor|enum constant|interface|member|method|function|propert(?:y|ie)|prop|field|attribute|parameter|param|argument|column)s?\b/i,
    'member',
  ],
  [/^(?:command|subcommand)s?\b/i, 'command'],
  [/^(?:error|code|status|message|exception)s?\b/i, 'message'],
  [/^(?:endpoint|route)s?\b/i, 'endpoint'],
]

/** True for the header of a column of facts about things, not of their names. */
export function isFact(header: string): boolean {
  return /^(?:(?:data |modifier and )?types?|default(?: value)?|mandatory|required|since|values?|versions?)$/i.test(
    header,
  )
}

/** The kind of the things that the rows of a table name. Undefined if the header does not tell. */
export function columnKind(header: string): EntryKind | undefined {
  return HEADERS.find(([pattern]) => pattern.test(header))?.[1]
}
