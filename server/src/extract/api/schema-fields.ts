import { cellText } from '../markdown/write-markdown.ts'
import { isRecord, listOf, type Loose, recordOf, textOf, textsOf } from './parse-data.ts'
import type { References } from './references.ts'
import schemaWords from './schema-words.json' with { type: 'json' }

type Field = {
  /** Path such as `items[].owner.id`. */
  path: string
  type: string
  required: boolean
  description: string
}

/** Maximum depth of nested fields. Deeper schemas have their own documents. */
const MAX_DEPTH = 3
const MAX_FIELDS = 120
/** Maximum number of visited schemas. Hostile schemas include the same schemas twice at each level. */
const MAX_VISITS = 2_000

type Place = {
  path: string
  depth: number
  /** References followed to this place. */
  open: string[]
}

/** Lists the fields of a schema and of its nested objects, in source order. Stops at cycles. */
export function schemaFields(references: References, root: unknown): { fields: Field[]; complete: boolean } {
  const fields: Field[] = []
  let complete = true
  let visits = 0

  const add = (property: unknown, required: boolean, place: Place): void => {
    if (fields.length >= MAX_FIELDS) {
      complete = false
      return
    }
    const { value } = references.resolve(property)
    const description = describe(recordOf(value)) || describe(variantOf(value))
    fields.push({ path: place.path, type: schemaType(references, property), required, description })
    enter(property, { ...place, depth: place.depth + 1 })
  }

  const enter = (schema: unknown, { path, depth, open }: Place): void => {
    const { value, ref } = references.resolve(schema)
    if (!isRecord(value) || (ref !== null && open.includes(ref)) || ++visits > MAX_VISITS) return
    if (depth > MAX_DEPTH) {
      complete &&= !hasFields(value)
      return
    }
    const inside = { path, depth, open: ref === null ? open : [...open, ref] }
    const required = new Set(textsOf(value['required']))
    for (const [name, property] of Object.entries(recordOf(value['properties']))) {
      add(property, required.has(name), { ...inside, path: path === '' ? name : `${path}.${name}` })
    }
    for (const part of listOf(value['allOf'])) enter(part, inside)
    for (const variant of variantsOf(value)) enter(variant, { ...inside, depth: depth + 1 })
    if ('items' in value) enter(value['items'], { ...inside, path: `${path}[]` })
    enter(value['additionalProperties'], { ...inside, path: path === '' ? '*' : `${path}.*`, depth: depth + 1 })
  }

  enter(root, { path: '', depth: 0, open: [] })
  return { fields: unique(fields), complete }
}

/** Returns description, bounds and default of a schema. */
export function describe(schema: Loose): string {
  const description = cellText(textOf(schema['description']) || textOf(schema['title']))
  return [description, ...bounds(schema)].filter(Boolean).join(' ')
}

function bounds(schema: Loose): string[] {
  const words = Object.entries(schemaWords.bounds).flatMap(([key, word]) => {
    const value = schema[key]
    if (value === undefined || (typeof value === 'boolean' && key !== 'default')) return []
    return [`${word}: \`${cellText(key === 'pattern' ? textOf(value) : (JSON.stringify(value) ?? ''))}\`.`]
  })
  const flags = Object.entries(schemaWords.flags).flatMap(([key, word]) => (schema[key] === true ? [word] : []))
  return [...words, ...flags]
}

/** Returns the only variant other than null. Some generators put the description there. */
function variantOf(schema: unknown): Loose {
  const [variant, ...others] = variantsOf(recordOf(schema))
    .map(recordOf)
    .filter(({ type }) => type !== 'null')
  return others.length === 0 ? recordOf(variant) : {}
}

export function variantsOf({ oneOf, anyOf }: Loose): unknown[] {
  return [...listOf(oneOf), ...listOf(anyOf)]
}

function hasFields(schema: Loose): boolean {
  return isRecord(schema['properties']) || listOf(schema['allOf']).length > 0
}

/** Removes duplicates: variants of one object repeat their shared fields. */
function unique(fields: Field[]): Field[] {
  const seen = new Set<string>()
  return fields.filter(({ path, type, description }) => {
    const key = `${path}\n${type}\n${description}`
    return !seen.has(key) && seen.add(key)
  })
}

/** Maximum nesting of spelled-out types: `array of array of …`. */
const MAX_TYPE_DEPTH = 4
const MAX_CHOICES = 20

/** Describes a schema's type on one line: `array of User`, `string (date-time) or null`, `one of "a", "b"`. */
export function schemaType(references: References, schema: unknown, depth = 0): string {
  if (schema === false) return 'never'
  if (depth > MAX_TYPE_DEPTH) return '…'
  const { value, name } = references.resolve(schema)
  if (name !== null) return name
  if (!isRecord(value)) return 'any'
  const inner = (other: unknown) => schemaType(references, other, depth + 1)
  if (Array.isArray(value['enum'])) return choice(value['enum'].map((item) => JSON.stringify(item) ?? 'null'))
  if ('const' in value) return JSON.stringify(value['const']) ?? 'any'
  const variants = variantsOf(value)
  if (variants.length > 0) return choice(variants.map(inner))
  const whole = listOf(value['allOf'])
  if (whole.length > 0 && !isRecord(value['properties'])) {
    return [...new Set(whole.map(inner))].filter((part) => part !== 'any').join(' with ') || 'object'
  }
  return plainType(value, inner)
}

function plainType(schema: Loose, inner: (schema: unknown) => string): string {
  const types = textsOf([schema['type']].flat())
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
