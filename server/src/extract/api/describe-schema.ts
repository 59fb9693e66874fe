import { joinParts, type ApiDocument, section, embedText } from './api-document.ts'
import { isRecord, textOf, listOf } from './parse-data.ts'
import type { References } from './references.ts'
import { schemaFields, schemaType, describe } from './schema-fields.ts'
import { sampleValue } from './sample-value.ts'

/** Maximum length of an example, in characters: about a page. */
const MAX_EXAMPLE = 4_000

/**
 * Renders the fields of a schema as a table, with a note if the table is incomplete. Empty for a schema without fields.
 */
export function fieldTable(references: References, schema: unknown): string {
  const { fields, complete } = schemaFields(references, schema)
  const rows = fields.map(({ path, type, required, description }) => [
    `\`${path}\``,
    type,
    required ? 'yes' : '',
    description,
  ])
  const table = writeTable(['Field', 'Type', 'Required', 'Description'], rows)
  return complete ? table : joinParts([table, 'Further fields are described with the types named above.'])
}

/** Maximum length of a definition, in characters. The field table says more than a longer definition. */
const MAX_DEFINITION = 6_000

/** Renders an original definition in a fence, or nothing if it is too long. */
export function writeDefinition(language: string, definition: string): string {
  return definition === '' || definition.length > MAX_DEFINITION ? '' : writeFence(language, definition)
}

/** Renders an original JSON Schema, with its references, in a fence. */
export function writeJsonSchema(schema: unknown): string {
  return writeDefinition('json', jsonWithin(schema, MAX_DEFINITION) ?? '')
}

/** Returns JSON of at most about `most` characters, or null if it is longer. */
function jsonWithin(value: unknown, most: number): string | null {
  let left = most / 4
  const count = (_key: string, each: unknown) => {
    // YAML aliases can expand a small text enormously, so count values.
    if (--left < 0) throw new RangeError('too long')
    return each
  }
  try {
    return JSON.stringify(value, count, 2) ?? null
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Describes the schema of a media type: its name, then its fields. */
export function describeContent(references: References, type: string, schema: unknown): string {
  const { value } = references.resolve(schema)
  const description = isRecord(value) ? textOf(value['description']) : ''
  const words = schema === undefined ? '' : `: ${schemaType(references, schema)}`
  const lead = `${type === '' ? 'Content' : `\`${type}\``}${words}`
  return joinParts([
    description === '' ? lead : `${lead}. ${description.split('\n\n', 1)[0]}`,
    fieldTable(references, schema),
  ])
}

/** Renders an example in a fence: strings unchanged, other values as JSON. Empty for a missing value. */
export function writeExample(value: unknown): string {
  if (value === undefined || value === null) return ''
  const isText = typeof value === 'string'
  const text = isText ? value : (JSON.stringify(value, null, 2) ?? '')
  return writeFence(isText && !/^\s*[{[]/.test(text) ? '' : 'json', shorten(text))
}

function shorten(text: string): string {
  return text.length > MAX_EXAMPLE ? `${text.slice(0, text.lastIndexOf('\n', MAX_EXAMPLE))}\n…` : text
}

/** Documents a named schema: its type, its fields, and an example. */
export function schemaDocument(references: References, name: string, schema: unknown, pointer: string): ApiDocument {
  const { value, name: target } = references.resolve(schema)
  const facts = isRecord(value) ? value : {}
  // Refer to the schema by its own name, so that a cycle back to it is detected.
  const self = { $ref: `#${pointer}` }
  const table = fieldTable(references, self)
  const example = writeExample(sampleValue(references, self))
  const { description, title, ...bounds } = facts
  const markdown = joinParts([
    `# ${name}`,
    `Schema \`${name}\`: ${target === null ? schemaType(references, withoutName(facts)) : `the same as ${target}`}.`,
    embedText(textOf(description) || textOf(title), 1),
    describe(bounds),
    enumeration(facts['enum'], facts['x-enum-descriptions'] ?? facts['x-enumDescriptions']),
    section('Fields', table),
    section('Example', example),
    section('JSON Schema', writeJsonSchema(schema)),
  ])
  return { subject: { kind: 'schema', name }, title: `${name} (schema)`, markdown, pointer }
}

/** An enum is listed by its values, so name only its type. */
function withoutName(schema: Record<string, unknown>): unknown {
  return Array.isArray(schema['enum']) ? { type: schema['type'] ?? 'string' } : schema
}

function enumeration(values: unknown, meanings: unknown): string {
  const lines = listOf(values).map((value, index) => {
    const meaning = textOf(listOf(meanings)[index])
    return `- \`${typeof value === 'string' ? value : JSON.stringify(value)}\`${meaning === '' ? '' : `: ${meaning}`}`
  })
  return lines.length === 0 ? '' : joinParts(['Values:', lines.join('\n')])
}

/** Renders rows as a Markdown table with `head`. Omits columns that are empty in every row. Empty without rows. */
export function writeTable(head: string[], rows: string[][]): string {
  if (rows.length === 0) return ''
  const used = head.flatMap((_, column) => (rows.some((row) => (row[column] ?? '') !== '') ? [column] : []))
  const line = (cells: string[]) => `|${used.map((column) => ` ${escape(cells[column] ?? '')} |`).join('')}`
  return [line(head), `|${used.map(() => ' --- |').join('')}`, ...rows.map(line)].join('\n')
}

/** Encloses `code` in fences longer than any run of backticks in it. */
export function writeFence(language: string, code: string): string {
  const longest = Math.max(0, ...[...code.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return `${fence}${language}\n${code}\n${fence}`
}

function escape(cell: string): string {
  return cell.replace(/(?<!\s)\s*\n\s*/g, ' ').replaceAll('|', '\\|')
}
