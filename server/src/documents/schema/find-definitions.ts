import { isObject, parseJson } from '#lib/objects.ts'
import { closingBracket } from '#lib/text/closing-bracket.ts'

/** The source code of a named definition, in a schema or programming language. */
export type Definition = { format: SchemaFormat; text: string }

/** Formats by preference. Those of one line say equally much about the same schema. */
export const PREFERRED_FORMATS = [
  ['json_schema'],
  ['typescript', 'sql', 'graphql', 'protobuf', 'prisma'],
  ['go', 'rust', 'python', 'java'],
  ['table'],
] as const
export const SCHEMA_FORMATS = PREFERRED_FORMATS.flat()
export type SchemaFormat = (typeof SCHEMA_FORMATS)[number]

const LANGUAGES: readonly (readonly [SchemaFormat, RegExp])[] = [
  ['sql', /^(?:\w*sql|ddl)$/],
  ['graphql', /^(?:graphqls?|gql|sdl)$/],
  ['protobuf', /^(?:proto\d?|protobuf)$/],
  ['prisma', /^prisma$/],
  ['go', /^go(?:lang)?$/],
  ['rust', /^(?:rust|rs)$/],
  ['python', /^(?:python\d?|py|pycon)$/],
  ['java', /^(?:java|kotlin|kt|cs|csharp|c#|scala|swift|php|dart)$/],
  ['typescript', /^(?:typescript|tsx?|javascript|jsx?|mts|cts|vue|svelte|astro|flow)$/],
]
/** Formats of code without language by the keyword of the declaration. Others are GraphQL. */
const KEYWORDS = new Map<string, SchemaFormat>([
  ['message', 'protobuf'],
  ['service', 'protobuf'],
  ['model', 'prisma'],
  ['view', 'prisma'],
  ['class', 'typescript'],
])

/** Finds the definition of `name` in a code block, verbatim, with the comments and decorators directly above. */
export function findDefinition(
  { language, text }: { language: string | null; text: string },
  name: string,
): Definition | null {
  const json = fromJson(text, name)
  if (json !== null) return { format: 'json_schema', text: json }
  const key = (language ?? '').toLowerCase()
  const known = LANGUAGES.find(([, languages]) => languages.test(key))?.[0]
  if (known === undefined && key !== '' && key !== 'text') return null
  const escaped = name.replaceAll(/[^\w]/g, String.raw`\$&`)
  const table = known === 'sql' || known === undefined ? tableNamed(escaped).exec(text) : null
  if (table) return { format: 'sql', text: cutDefinition(text, table.index, 'paren') }
  if (known === 'sql') return null
  const found = (known === 'python' ? classNamed(escaped) : typeNamed(escaped)).exec(text)
  if (found) {
    const { word = '', alias } = found.groups ?? {}
    const format = known ?? (alias === undefined ? (KEYWORDS.get(word) ?? 'graphql') : 'typescript')
    return { format, text: cutDefinition(text, found.index, known === 'python' ? 'indent' : 'brace') }
  }
  const schema = known === 'typescript' || known === undefined ? schemaNamed(escaped).exec(text) : null
  return schema && { format: 'typescript', text: cutDefinition(text, schema.index, 'brace') }
}

const tableNamed = (name: string) =>
  new RegExp(
    String.raw`^[ \t]*create\s+(?:or\s+replace\s+)?(?:temp(?:orary)?\s+)?(?:table|view|type|materialized\s+view)\s+(?:if\s+not\s+exists\s+)?(?:["\`[]?\w+["\`\]]?\.)*["\`[]?${name}["\`\]]?(?![\w])`,
    'im',
  )
const classNamed = (name: string) => new RegExp(String.raw`^[ \t]*class\s+${name}\b[^\n\r\u2028\u2029]*:`, 'm')
/** A declaration in a language with braces. */
const typeNamed = (name: string) =>
  new RegExp(
    String.raw`^[ \t]*(?:(?:export|default|declare|const|extend|pub(?:\([^)\n]{0,100}\))?|public|private|protected|internal|abstract|final|sealed|static|partial|data|open|readonly)[ \t]+){0,9}(?<word>class|enum|input|interface|message|model|record|scalar|service|struct|trait|type|union|view)\s+${name}\b(?:<[^=]{0,300}>)?(?<alias>\s*=)?`,
    'm',
  )
/** A schema made by a validation library. */
const schemaNamed = (name: string) =>
  new RegExp(
    String.raw`^[ \t]*(?:export\s+)?(?:const|let|var)\s+${name}\s*(?::[^=\n]{1,300})?=\s*(?:z|v|t|yup|Joi|Type|Schema|S)\.`,
    'm',
  )

function cutDefinition(text: string, start: number, ends: 'brace' | 'paren' | 'indent'): string {
  const end = ends === 'indent' ? endOfIndent(text, start) : endOfBrackets(text, start, ends === 'paren' ? '(' : '{')
  return dedent(`${commentsAbove(text, start)}${text.slice(start, end)}`)
}

/** Comment and decorator lines directly above a definition. */
function commentsAbove(text: string, start: number): string {
  const lines = text.slice(0, start).split('\n').slice(0, -1)
  const isOther = (line: string) => !/^\s*(?:\/\/|\/?\*|#|--|@|"""|\[\w)/.test(line)
  return lines.slice(lines.findLastIndex(isOther) + 1).reduce((all, line) => `${all}${line}\n`, '')
}

/** End of the line that closes the definition's first bracket. Without a bracket, the next blank line. */
function endOfBrackets(text: string, start: number, opening: string): number {
  const first = text.indexOf(opening, start)
  const blank = text.indexOf('\n\n', start)
  const limit = blank < 0 ? text.length : blank
  if (first < 0 || first > limit) return limit
  const close = closingBracket(text, first)
  const line = close < 0 ? -1 : text.indexOf('\n', close)
  return line < 0 ? text.length : line
}

/** End before the first line indented no deeper than the definition. */
function endOfIndent(text: string, start: number): number {
  const margin = /^[ \t]*/.exec(text.slice(start))?.[0].length ?? 0
  let at = text.indexOf('\n', start)
  while (at >= 0) {
    const end = text.indexOf('\n', at + 1)
    const line = text.slice(at + 1, end < 0 ? text.length : end)
    if (line.trim() !== '' && (/^[ \t]*/.exec(line)?.[0].length ?? 0) <= margin && !/^\s*[)\]]/.test(line)) return at
    if (end < 0) return text.length
    at = end
  }
  return text.length
}

function dedent(text: string): string {
  const lines = text.trimEnd().split('\n')
  const margins = lines.filter((line) => line.trim()).map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0)
  const margin = Math.min(...margins, 80)
  return lines.map((line) => line.slice(margin)).join('\n')
}

/** Longer texts are data, not schemas. */
const MAX_JSON = 200_000

/** The JSON Schema with this name, matched by title or id, or among the definitions of a larger schema. */
function fromJson(text: string, name: string): string | null {
  if (!/^\s*\{/.test(text) || text.length > MAX_JSON || !text.includes(name)) return null
  const root = parseJson(text)
  if (!isObject(root)) return null
  const components = isObject(root['components']) ? root['components']['schemas'] : undefined
  for (const holder of [root['$defs'], root['definitions'], components])
    if (isObject(holder) && isObject(holder[name])) return JSON.stringify(holder[name], null, 2)
  const isCalled = [root['title'], root['$id'], root['id']].some(
    (id) => typeof id === 'string' && (id === name || FILE_NAME.exec(id)?.[1] === name),
  )
  return isCalled && isSchema(root) ? text.trim() : null
}

/** The file of a schema's id, without its extension. */
const FILE_NAME = /(?:^|[/#])([^/#]*?)(?:(?:\.schema)?\.json)?$/

/** True if a text is a JSON Schema. */
export function isJsonSchema(text: string): boolean {
  return isSchema(parseJson(text))
}

/** Type names of JSON Schema and of OpenAPI 2.0. */
const TYPE = /^(?:string|number|integer|boolean|object|array|null|file)$/
/** Keywords of a JSON Schema, each with a test of its value. An example can have fields with the same names. */
const MEMBERS: Record<string, (value: unknown) => boolean> = {
  $schema: (value) => typeof value === 'string',
  properties: (value) => isObject(value) && Object.values(value).every(isSubschema),
  enum: (value) => Array.isArray(value) && value.length > 0,
  oneOf: isSubschemas,
  anyOf: isSubschemas,
  allOf: isSubschemas,
  items: (value) => isSubschema(value) || isSubschemas(value),
}

function isSchema(value: unknown): boolean {
  if (!isObject(value)) return false
  const keywords = Object.entries(MEMBERS).filter(([key]) => key in value)
  return keywords.length > 0 && keywords.every(([key, fits]) => fits(value[key]))
}

function isSubschemas(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isSubschema)
}

/** True for a boolean, an empty object, a type, a reference, a constant, required fields or a schema. */
function isSubschema(value: unknown): boolean {
  if (!isObject(value)) return typeof value === 'boolean'
  const types = [value['type']].flat()
  return (
    Object.keys(value).length === 0 ||
    types.every((type) => typeof type === 'string' && TYPE.test(type)) ||
    typeof value['$ref'] === 'string' ||
    'const' in value ||
    // A variant of an object by its fields.
    (Array.isArray(value['required']) && value['required'].every((each) => typeof each === 'string')) ||
    isSchema(value)
  )
}
