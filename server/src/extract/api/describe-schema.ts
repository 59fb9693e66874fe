import { embedText, fenced, joinParts, section, writeTable } from '../markdown/write-markdown.ts'
import type { ApiDocument } from './api-document.ts'
import { listOf, type Loose, recordOf, textOf } from './parse-data.ts'
import { escapePointer, type References, schemasOutside } from './references.ts'
import { schemaFields, schemaType, describe } from './schema-fields.ts'
import { sampleValue } from './sample-value.ts'

/** Maximum length of an example, in characters: about a page. */
const MAX_EXAMPLE = 4_000

/** Renders the fields of a schema as a table, with a note if it is incomplete. Empty for a schema without fields. */
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

/** Renders an original definition in a fence, or nothing if it has more than `most` characters. */
export function writeDefinition(language: string, definition: string, most = MAX_DEFINITION): string {
  return definition === '' || definition.length > most ? '' : fenced(definition, language)
}

/** Renders an original JSON Schema, with its references, in a fence, or nothing if it is too long. */
export function writeJsonSchema(schema: unknown, most = MAX_DEFINITION): string {
  let left = most / 4
  const count = (_key: string, each: unknown) => {
    // YAML aliases can expand a small text enormously, so count values.
    if (--left < 0) throw new RangeError('too long')
    return each
  }
  try {
    return writeDefinition('json', JSON.stringify(schema, count, 2) ?? '', most)
  } catch (error) {
    if (error instanceof RangeError) return ''
    throw error
  }
}

/** Describes the schema of a media type: its name, then its fields. */
export function describeContent(references: References, type: string, schema: unknown): string {
  const description = textOf(references.record(schema)['description'])
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
  const shown = text.length > MAX_EXAMPLE ? `${text.slice(0, text.lastIndexOf('\n', MAX_EXAMPLE))}\n…` : text
  return fenced(shown, isText && !/^\s*[{[]/.test(text) ? '' : 'json')
}

function schemaDocument(references: References, name: string, schema: unknown, pointer: string): ApiDocument {
  const { value, name: target } = references.resolve(schema)
  // An enum is listed by its values, so name only its type.
  const { description, title, enum: values, ...bounds } = recordOf(value)
  const facts = Array.isArray(values) ? { type: bounds['type'] ?? 'string' } : { enum: values, ...bounds }
  // Refer to the schema by its own name, so that a cycle back to it is detected.
  const self = { $ref: `#${pointer}` }
  const table = fieldTable(references, self)
  const example = writeExample(sampleValue(references, self))
  const markdown = joinParts([
    `# ${name}`,
    `Schema \`${name}\`: ${target === null ? schemaType(references, facts) : `the same as ${target}`}.`,
    embedText(textOf(description) || textOf(title), 1),
    describe(bounds),
    enumeration(values, bounds['x-enum-descriptions'] ?? bounds['x-enumDescriptions']),
    section('Fields', table),
    section('Example', example),
    section('JSON Schema', writeJsonSchema(schema)),
  ])
  return { subject: { kind: 'schema', name }, title: `${name} (schema)`, markdown, pointer }
}

/** Documents the named schemas of a description. `home` is the pointer of their mapping in the file. */
export function schemaDocuments(references: References, root: Loose, home: string): ApiDocument[] {
  const own = Object.entries(recordOf(recordOf(root['components'])['schemas']))
  const names = new Set(own.map(([name]) => name))
  const others = [...schemasOutside(root, references)].filter(([name]) => !names.has(name))
  return [
    ...own.map(([name, schema]) => schemaDocument(references, name, schema, `${home}/${escapePointer(name)}`)),
    // A pointer into the bundle leads nowhere in the file.
    ...others.map(([name, $ref]) => {
      const { value } = references.resolve({ $ref })
      return { ...schemaDocument(references, name, value, $ref.slice(1)), pointer: null }
    }),
  ]
}

function enumeration(values: unknown, meanings: unknown): string {
  const lines = listOf(values).map((value, index) => {
    const meaning = textOf(listOf(meanings)[index])
    return `- \`${typeof value === 'string' ? value : JSON.stringify(value)}\`${meaning === '' ? '' : `: ${meaning}`}`
  })
  return lines.length === 0 ? '' : joinParts(['Values:', lines.join('\n')])
}
