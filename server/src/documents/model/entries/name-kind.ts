import type { EntryKind } from '../document.ts'
import { declaredName } from '../declared-name.ts'
import { subcommandOf } from '../name-key.ts'

const ENDPOINT = /\b(?:GET|PUT|POST|DELETE|PATCH|HEAD|OPTIONS|TRACE|QUERY) (?:https?:\/\/|\/)/
/** `ERR_TIMEOUT`, `ENOENT`, `TypeError`, `error: no such file`. */
const MESSAGE =
  /^(?:ERR_\w+|[A-Z]{1,8}_ERR_\w+|E[A-Z]{4,}\d*|[A-Z]{1,6}\d{3,6})$|^[\w.]*(?:Error|Exception)$|^(?:[Ee]rror|[Ww]arning)\b.*: /
/** `class Flask`, `Router.use(path)`, `sf::Sprite`. */
const DECLARED =
  /^(?:abstract |async |const |export |public |static ){0,3}(?:class|def|enum|fn|func|function|interface|method|property|struct|trait|type) \S|\w\s?\(|\w(?:::|#|->)\w/
/** Alone, or with a value behind it. */
const IDENTIFIER = /^[\w$.-]+(?=$|=|\s?[<[{])/

/** The kind of a thing, told by the spelling of its name. */
export function nameKind(name: string): EntryKind {
  if (name.startsWith('-') && /^--?\w/.test(name)) return 'option'
  if (ENDPOINT.test(name)) return 'endpoint'
  if (name.endsWith('?')) return 'question'
  if (name.endsWith(' (schema)')) return 'schema'
  if (MESSAGE.test(name)) return 'message'
  if (DECLARED.test(name) || declaredName(name) !== null) return 'member'
  const identifier = IDENTIFIER.exec(name)?.[0] ?? ''
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
