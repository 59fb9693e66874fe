import { isRecord, listOf, type Loose, textOf, textsOf } from './loose-json.ts'
import type { References } from './references.ts'

/** Maximum nesting of spelled-out types: `array of array of …`. */
const MAX_DEPTH = 4
const MAX_CHOICES = 20

/** Describes a schema's type on one line: `array of User`, `string (date-time) or null`, `one of "a", "b"`. */
export function schemaType(references: References, schema: unknown, depth = 0): string {
  if (schema === false) return 'never'
  if (depth > MAX_DEPTH) return '…'
  const { value, name } = references.resolve(schema)
  if (name !== null) return name
  if (!isRecord(value)) return 'any'
  const inner = (other: unknown) => schemaType(references, other, depth + 1)
  if (Array.isArray(value['enum'])) return choice(value['enum'].map((item) => JSON.stringify(item) ?? 'null'))
  if ('const' in value) return JSON.stringify(value['const']) ?? 'any'
  const variants = [...listOf(value['oneOf']), ...listOf(value['anyOf'])]
  if (variants.length > 0) return choice(variants.map(inner))
  const whole = listOf(value['allOf'])
  if (whole.length > 0 && !isRecord(value['properties'])) {
    return [...new Set(whole.map(inner))].filter((part) => part !== 'any').join(' with ') || 'object'
  }
  return plainType(value, inner)
}

function plainType(schema: Loose, inner: (schema: unknown) => string): string {
  const types = typeof schema['type'] === 'string' ? [schema['type']] : textsOf(schema['type'])
  if (types.length === 0) types.push(...impliedType(schema))
  const words = types.map((type) => {
    if (type === 'array') return `array of ${schema['items'] === undefined ? 'any' : inner(schema['items'])}`
    if (type === 'object' && isRecord(schema['additionalProperties']) && !isRecord(schema['properties'])) {
      return `map of string to ${inner(schema['additionalProperties'])}`
    }
    return type
  })
  if (schema['nullable'] === true && !words.includes('null')) words.push('null')
  const format = textOf(schema['format'])
  return `${words.join(' or ') || 'any'}${format === '' ? '' : ` (${format})`}`
}

function impliedType(schema: Loose): string[] {
  if (isRecord(schema['properties']) || 'additionalProperties' in schema) return ['object']
  return 'items' in schema ? ['array'] : []
}

function choice(words: string[]): string {
  const unique = [...new Set(words)]
  if (unique.length === 1) return unique[0] ?? 'any'
  if (unique.length === 2 && unique.includes('null')) return `${unique.find((word) => word !== 'null')} or null`
  const shown = unique.slice(0, MAX_CHOICES)
  return `one of ${shown.join(', ')}${unique.length > MAX_CHOICES ? ', …' : ''}`
}
