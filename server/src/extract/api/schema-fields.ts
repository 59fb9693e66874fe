import { cellText } from './embed-text.ts'
import { isRecord, listOf, type Loose, recordOf, textOf, textsOf } from './loose-json.ts'
import type { References } from './references.ts'
import { schemaType } from './schema-type.ts'

export type Field = {
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

const BOUNDS: [key: string, words: string][] = [
  ['minimum', 'At least'],
  ['exclusiveMinimum', 'More than'],
  ['maximum', 'At most'],
  ['exclusiveMaximum', 'Less than'],
  ['minLength', 'Shortest length'],
  ['maxLength', 'Longest length'],
  ['minItems', 'Fewest items'],
  ['maxItems', 'Most items'],
  ['pattern', 'Pattern'],
  ['default', 'Default'],
]

function bounds(schema: Loose): string[] {
  const words = BOUNDS.flatMap(([key, word]) => {
    const value = schema[key]
    if (value === undefined || (typeof value === 'boolean' && key !== 'default')) return []
    return [`${word}: \`${cellText(key === 'pattern' ? textOf(value) : (JSON.stringify(value) ?? ''))}\`.`]
  })
  if (schema['readOnly'] === true) words.push('Read-only.')
  if (schema['writeOnly'] === true) words.push('Write-only.')
  if (schema['deprecated'] === true) words.push('Deprecated.')
  return words
}

/** Returns the only variant other than null. Some generators put the description there. */
function variantOf(schema: unknown): Loose {
  const [variant, ...others] = variantsOf(recordOf(schema))
    .map(recordOf)
    .filter(({ type }) => type !== 'null')
  return others.length === 0 ? recordOf(variant) : {}
}

function variantsOf({ oneOf, anyOf }: Loose): unknown[] {
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
