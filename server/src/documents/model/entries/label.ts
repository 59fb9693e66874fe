import type { Entry, EntryKind, Span } from '../document.ts'
import { declaredName, nameHash, nameKeys, subcommandOf } from '../name-key.ts'
import { plainInline } from '../markdown-blocks.ts'

/** A longer first cell, term or label is prose. */
const MAX_LABEL = 120
const MOST_WORDS = 5
/** Names in one label. */
const MOST_NAMES = 8

/** Names that share a label: `-p, --port`, `read / write`. */
const BETWEEN = /,\s|\s\/\s|<br ?\/?>|\s\|\s/
/** A name with its value behind it: `limit=N`, `PATH <folder>`, `size INTEGER`. */
const VALUED = /^[\w.$@-]{1,80}(?=[ =]?[<[({]|[=:]|\s[A-Z<[{])/
const IDENTIFIER = /[\w$][_.$-][\w$]|[a-z][A-Z]|^[A-Z_]{2}/

/** Labels of parts that any entry has. Nobody looks them up. */
const GENERIC = new Set(
  'arguments contents default description example examples note notes overview parameters references return returns see synopsis tip type value warning'.split(
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
  /^(?:abstract |async |const |export |public |static ){0,3}(?:class|def|enum|fn|func|function|interface|method|property|struct|trait|type) \S|\w\s?\(|\w(?:::|#|->)\w/
/** Alone, or with a value behind it. */
const BARE = /^[\w$.-]+(?=$|=|\s?[<[{])/

/** The kind of a thing, told by the spelling of its name. */
export function nameKind(name: string): EntryKind {
  if (name.startsWith('-') && /^--?\w/.test(name)) return 'option'
  if (ENDPOINT.test(name)) return 'endpoint'
  if (name.endsWith('?')) return 'question'
  if (name.endsWith(' (schema)')) return 'schema'
  if (MESSAGE.test(name)) return 'message'
  if (DECLARED.test(name) || declaredName(name) !== null) return 'member'
  const identifier = BARE.exec(name)?.[0] ?? ''
  // `useState` and `Router.use`, then `server.port`, `max_connections` and `DOCENT_PORT`.
  if (/[a-z][A-Z]|^[A-Z]\w*\./.test(identifier)) return 'member'
  if (/[\w$][._][\w$]/.test(identifier)) return 'setting'
  if (/\s(?:flag|option)$/.test(name)) return 'option'
  return name.startsWith('$ ') || subcommandOf(name) !== null ? 'command' : 'definition'
}

/** Kinds told by the first cell of a table's header. */
const HEADERS: readonly (readonly [RegExp, EntryKind])[] = [
  [/^(?:option|flag|switch)s?\b/i, 'option'],
  [/^(?:setting|config\w*|directive|(?:environment )?variable|key)s?\b/i, 'setting'],
  [/^(?:member|method|function|propert(?:y|ie)|prop|field|attribute|parameter|param|argument|column)s?\b/i, 'member'],
  [/^(?:command|subcommand)s?\b/i, 'command'],
  [/^(?:error|code|status|message|exception)s?\b/i, 'message'],
  [/^(?:endpoint|route)s?\b/i, 'endpoint'],
]

/** The kind of the things that the rows of a table name. Undefined if the header does not tell. */
export function columnKind(header: string): EntryKind | undefined {
  return HEADERS.find(([pattern]) => pattern.test(header))?.[1]
}
