import { type ApiDocument, joinParts, section } from './api-document.ts'
import { describe } from './schema-fields.ts'
import { embedText } from './embed-text.ts'
import { fieldTable, writeExample, writeJsonSchema } from './describe-schema.ts'
import { isRecord, listOf, textOf } from './loose-json.ts'
import type { References } from './references.ts'
import { sampleValue } from './sample-value.ts'
import { schemaType } from './schema-type.ts'

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
