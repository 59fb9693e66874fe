import { joinParts } from './api-document.ts'
import { isRecord, textOf } from './loose-json.ts'
import type { References } from './references.ts'
import { schemaFields } from './schema-fields.ts'
import { schemaType } from './schema-type.ts'
import { writeFence, writeTable } from './write-table.ts'

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
