import { isRecord, type Loose, recordOf, textOf } from '../loose-json.ts'
import type { References } from '../references.ts'
import { describe } from '../schema-fields.ts'
import { schemaType } from '../schema-type.ts'
import { cellText } from '../embed-text.ts'
import { writeTable } from '../write-table.ts'

export type Parameter = {
  name: string
  place: 'path' | 'query' | 'header' | 'cookie' | 'querystring'
  required: boolean
  description: string
  schema: unknown
  /** Example of the parameter, or undefined. */
  example: unknown
}

const PLACES = new Set(['path', 'query', 'header', 'cookie', 'querystring'])

/**
 * Reads parameters in order. For one name and place the later one wins, because the operation overrides the path item.
 */
export function readParameters(references: References, given: unknown[]): Parameter[] {
  const parameters = new Map<string, Parameter>()
  for (const each of given) {
    const { value } = references.resolve(each)
    if (!isRecord(value) || !PLACES.has(textOf(value['in'])) || textOf(value['name']) === '') continue
    const parameter = readParameter(references, value)
    parameters.set(`${parameter.place} ${parameter.name}`, parameter)
  }
  return [...parameters.values()]
}

function readParameter(references: References, value: Loose): Parameter {
  const [media] = Object.values(recordOf(value['content']))
  const schema = value['schema'] ?? recordOf(media)['schema']
  const [named] = Object.values(recordOf(value['examples'])).map((each) => recordOf(references.resolve(each).value))
  const place = textOf(value['in']) as Parameter['place']
  const deprecated = value['deprecated'] === true ? 'Deprecated.' : ''
  const { description: _, ...facts } = recordOf(references.resolve(schema).value)
  const words = [cellText(textOf(value['description'])), deprecated, describe(facts)]
  return {
    name: textOf(value['name']),
    place,
    required: place === 'path' || value['required'] === true,
    description: words.filter(Boolean).join(' '),
    schema,
    example: value['example'] ?? named?.['value'],
  }
}

export function parameterTable(references: References, parameters: Parameter[]): string {
  const rows = parameters.map(({ name, place, required, description, schema }) => [
    `\`${name}\``,
    place,
    schema === undefined ? '' : schemaType(references, schema),
    required ? 'yes' : '',
    description,
  ])
  return writeTable(['Name', 'In', 'Type', 'Required', 'Description'], rows)
}
