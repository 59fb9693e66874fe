import { joinParts } from './api-document.ts'
import { isRecord, textOf } from './loose-json.ts'
import type { References } from './references.ts'
import { schemaFields } from './schema-fields.ts'
import { schemaType } from './schema-type.ts'
import { writeFence, writeTable } from './write-table.ts'

/** Examples are shown as far as they fit on a page. */
const MAX_EXAMPLE = 4_000

/** The fields of a schema as a table, with a line where they are not all. Empty for a schema without fields. */
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

/** Definitions that are longer say less than their table of fields. */
const MAX_DEFINITION = 6_000

/** A definition in a fence as it is in the description, for those who need it whole; empty for one that is too long. */
export function writeDefinition(language: string, definition: string): string {
  return definition === '' || definition.length > MAX_DEFINITION ? '' : writeFence(language, definition)
}

/** The same of a JSON Schema as it is in the description, references and all. */
export function writeJsonSchema(schema: unknown): string {
  return writeDefinition('json', jsonWithin(schema, MAX_DEFINITION) ?? '')
}

/** JSON of at most about `most` characters, or null for what is longer. */
function jsonWithin(value: unknown, most: number): string | null {
  let left = most / 4
  const count = (_key: string, each: unknown) => {
    // Counted, since aliases can make a small text stand for a huge one.
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

/** A media type's schema: its name, then its fields. */
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

/** An example in a fence: text as it is, everything else as JSON. Empty for nothing. */
export function writeExample(value: unknown): string {
  if (value === undefined || value === null) return ''
  const isText = typeof value === 'string'
  const text = isText ? value : (JSON.stringify(value, null, 2) ?? '')
  return writeFence(isText && !/^\s*[{[]/.test(text) ? '' : 'json', shorten(text))
}

function shorten(text: string): string {
  return text.length > MAX_EXAMPLE ? `${text.slice(0, text.lastIndexOf('\n', MAX_EXAMPLE))}\n…` : text
}
