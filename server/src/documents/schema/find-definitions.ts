/** The source code of a named definition, in a schema or programming language. */
export type Definition = { format: SchemaFormat; text: string }

export const SCHEMA_FORMATS = [
  'json_schema',
  'typescript',
  'sql',
  'graphql',
  'protobuf',
  'prisma',
  'go',
  'rust',
  'python',
  'java',
  'table',
] as const
export type SchemaFormat = (typeof SCHEMA_FORMATS)[number]

type Rule = {
  format: SchemaFormat
  languages: RegExp
  begins: (name: string) => RegExp
  ends: 'brace' | 'paren' | 'indent'
}

/** Patterns for the start and end of a definition. Comments and decorators directly above belong to it. */
const RULES: readonly Rule[] = [
  {
    format: 'sql',
    languages: /^(?!\w*[^\w])(?:.*sql|(?:ddl|text|)$)/,
    begins: (name) =>
      new RegExp(
        String.raw`^[ \t]*create\s+(?:or\s+replace\s+)?(?:temp(?:orary)?\s+)?(?:table|view|type|materialized\s+view)\s+(?:if\s+not\s+exists\s+)?(?:["\`[]?\w+["\`\]]?\.)*["\`[]?${name}["\`\]]?(?![\w])`,
        'im',
      ),
    ends: 'paren',
  },
  {
    format: 'graphql',
    languages: /^(?:graphqls?|gql|sdl|text|)$/,
    begins: (name) =>
      new RegExp(
        String.raw`^[ \t]*(?:extend\s+)?(?:type|input|interface|enum|union|scalar)\s+${name}\b(?!\s*=\s*[{(])`,
        'm',
      ),
    ends: 'brace',
  },
  {
    format: 'protobuf',
    languages: /^(?:proto\d?|protobuf|text|)$/,
    begins: (name) => new RegExp(String.raw`^[ \t]*(?:message|enum|service)\s+${name}\s*\{`, 'm'),
    ends: 'brace',
  },
  {
    format: 'prisma',
    languages: /^(?:prisma|text|)$/,
    begins: (name) => new RegExp(String.raw`^[ \t]*(?:model|enum|type|view)\s+${name}\s*\{`, 'm'),
    ends: 'brace',
  },
  {
    format: 'go',
    languages: /^go(?:lang)?$/,
    begins: (name) => new RegExp(String.raw`^type\s+${name}\b(?:\[[^\]\n]{0,300}\])?\s+(?:struct|interface|\w)`, 'm'),
    ends: 'brace',
  },
  {
    format: 'rust',
    languages: /^(?:rust|rs)$/,
    begins: (name) =>
      new RegExp(String.raw`^[ \t]*(?:pub(?:\([^)\n]{0,100}\))?\s+)?(?:struct|enum|union|type|trait)\s+${name}\b`, 'm'),
    ends: 'brace',
  },
  {
    format: 'python',
    languages: /^(?:python\d?|py|pycon)$/,
    begins: (name) => new RegExp(String.raw`^[ \t]*class\s+${name}\b[^\n\r\u2028\u2029]*:`, 'm'),
    ends: 'indent',
  },
  {
    format: 'java',
    languages: /^(?:java|kotlin|kt|cs|csharp|c#|scala|swift|php|dart)$/,
    begins: (name) =>
      new RegExp(
        String.raw`^[ \t]*(?:(?:public|private|protected|internal|abstract|final|sealed|static|partial|data|open|readonly)[ \t]+)*(?:class|interface|record|enum|struct)\s+${name}\b`,
        'm',
      ),
    ends: 'brace',
  },
  {
    format: 'typescript',
    languages: /^(?:typescript|tsx?|javascript|jsx?|mts|cts|vue|svelte|astro|flow|text|)$/,
    begins: (name) =>
      new RegExp(
        String.raw`^[ \t]*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:(?:interface|class|enum|const enum)\s+${name}\b|type\s+${name}\b(?:<[^=]{0,300}>)?\s*=|(?:const|let|var)\s+${name}\s*(?::[^=\n]{1,300})?=\s*(?:z|v|t|yup|Joi|Type|Schema|S)\.)`,
        'm',
      ),
    ends: 'brace',
  },
]

/** Finds the definitions of `name` in a code block, verbatim. */
export function findDefinitions(
  { language, text }: { language: string | null; text: string },
  name: string,
): Definition[] {
  const kind = (language ?? '').toLowerCase()
  const json = fromJson(text, name)
  if (json) return [{ format: 'json_schema', text: json }]
  const escaped = name.replaceAll(/[^\w]/g, String.raw`\$&`)
  for (const { format, languages, begins, ends } of RULES) {
    if (!languages.test(kind)) continue
    const at = begins(escaped).exec(text)
    if (at) return [{ format, text: cutDefinition(text, at.index, ends) }]
  }
  return []
}

function cutDefinition(text: string, start: number, ends: Rule['ends']): string {
  const end = ends === 'indent' ? endOfIndent(text, start) : endOfBrackets(text, start, ends === 'paren' ? '(' : '{')
  return dedent(`${commentsAbove(text, start)}${text.slice(start, end)}`)
}

/** Comment and decorator lines directly above a definition. */
function commentsAbove(text: string, start: number): string {
  const lines = text.slice(0, start).split('\n').slice(0, -1)
  let from = lines.length
  while (from > 0 && /^\s*(?:\/\/|\/?\*|#|--|@|"""|\[\w)/.test(lines[from - 1] ?? '')) from--
  const taken = lines.slice(from)
  return taken.length === 0 ? '' : `${taken.join('\n')}\n`
}

/** End of the line that closes the definition's first bracket. Without a bracket, the next blank line. */
function endOfBrackets(text: string, start: number, opening: '{' | '('): number {
  const closing = opening === '{' ? '}' : ')'
  const first = text.indexOf(opening, start)
  const blank = text.indexOf('\n\n', start)
  const limit = blank < 0 ? text.length : blank
  if (first < 0 || first > limit) return limit
  let depth = 0
  for (let at = first; at < text.length; at++) {
    if (text[at] === opening) depth++
    if (text[at] === closing && --depth === 0) {
      const line = text.indexOf('\n', at)
      return line < 0 ? text.length : line
    }
  }
  return text.length
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
  const root = parse(text)
  if (!isRecord(root)) return null
  const components = isRecord(root['components']) ? root['components']['schemas'] : undefined
  for (const holder of [root['$defs'], root['definitions'], components]) {
    if (isRecord(holder) && isRecord(holder[name])) return JSON.stringify(holder[name], null, 2)
  }
  const called = [root['title'], root['$id'], root['id']].some(
    (each) =>
      typeof each === 'string' &&
      (each === name ||
        each
          .split(/[/#]/)
          .at(-1)
          ?.replace(/(?:\.schema)?\.json$/, '') === name),
  )
  return called && isSchema(root) ? text.trim() : null
}

/** Type names of JSON Schema and of OpenAPI 2.0. */
const TYPE = /^(?:string|number|integer|boolean|object|array|null|file)$/
/** Keywords of a JSON Schema, each with a test of its value. An example can have fields with the same names. */
const KEYWORDS: Record<string, (value: unknown) => boolean> = {
  $schema: (value) => typeof value === 'string',
  properties: (value) => isRecord(value) && Object.values(value).every(isSubschema),
  enum: (value) => Array.isArray(value) && value.length > 0,
  oneOf: isSubschemas,
  anyOf: isSubschemas,
  allOf: isSubschemas,
  items: (value) => isSubschema(value) || isSubschemas(value),
}

/** True if a value is a JSON Schema. */
export function isSchema(value: unknown): boolean {
  if (!isRecord(value)) return false
  const keywords = Object.entries(KEYWORDS).filter(([key]) => key in value)
  return keywords.length > 0 && keywords.every(([key, fits]) => fits(value[key]))
}

function isSubschemas(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isSubschema)
}

/** True for a boolean, an empty object, a type, a reference, a constant or a schema. */
function isSubschema(value: unknown): boolean {
  if (!isRecord(value)) return typeof value === 'boolean'
  const types = [value['type']].flat()
  return (
    Object.keys(value).length === 0 ||
    types.every((type) => typeof type === 'string' && TYPE.test(type)) ||
    typeof value['$ref'] === 'string' ||
    'const' in value ||
    isSchema(value)
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Undefined for invalid JSON, because docs show fragments, comments and ellipses. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
