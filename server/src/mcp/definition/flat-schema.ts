import { z } from 'zod'
import { oneLine } from '../passages/format-citation.ts'

/** JSON Schema in a form that every client accepts: one level of plain properties. */
export type FlatSchema = { type: 'object'; properties: Record<string, FlatProperty>; required?: string[] }

export type FlatProperty = {
  type: 'string' | 'integer' | 'number' | 'boolean' | 'array'
  description?: string
  enum?: string[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  default?: unknown
  items?: { type: string }
}

const KEYWORDS = new Set('type description enum minimum maximum minLength maxLength default items'.split(' '))
const TYPES = new Set(['string', 'integer', 'number', 'boolean', 'array'])

/**
 * Converts a zod object to the subset of JSON Schema that all clients accept. It excludes `$schema`, `$ref`, unions,
 * type arrays and `additionalProperties`, because several clients drop such tools. Throws if the object does not fit.
 */
export function flatSchema(input: z.ZodObject): FlatSchema {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input' })
  for (const [name, property] of Object.entries(properties)) {
    if (!isFlat(property)) throw new Error(`The argument "${name}" is not a plain value: ${JSON.stringify(property)}`)
  }
  const flat = properties as Record<string, FlatProperty>
  return { type: 'object', properties: flat, ...(required.length > 0 ? { required } : {}) }
}

function isFlat(property: unknown): property is FlatProperty {
  if (typeof property !== 'object' || property === null || !('type' in property)) return false
  return TYPES.has(String(property.type)) && Object.keys(property).every((keyword) => KEYWORDS.has(keyword))
}

/** Explains which arguments to correct and how. Models read this and call again. */
export function explainArguments(
  tool: string,
  schema: FlatSchema,
  issues: readonly { path: readonly PropertyKey[] }[],
  unknown: readonly string[] = [],
): string {
  const names = new Set(issues.map(({ path }) => String(path[0])))
  const sentences = [...names].map((name) => {
    const property = schema.properties[name]
    if (!property) return `"${name}" is not an argument.`
    return `"${name}" must be ${describe(property)}${property.description ? `: ${property.description}` : ''}.`
  })
  if (unknown.length > 0) sentences.push(unknownArguments(tool, schema, unknown))
  return `${sentences.join(' ')} Call ${tool} again with the arguments corrected.`
}

/** Maximum number of listed names, and their clipped length. The names are untrusted. */
const MOST_NAMES = 5
const MOST_CHARACTERS = 40

export function unknownArguments(
  tool: string,
  schema: { properties: Readonly<Record<string, unknown>> },
  unknown: readonly string[],
): string {
  const names = unknown.slice(0, MOST_NAMES).map((name) => `"${oneLine(name, MOST_CHARACTERS)}"`)
  const known = Object.keys(schema.properties).join(', ')
  return `There is no argument ${names.join(' or ')}: ${tool} takes ${known || 'none'}.`
}

function describe(property: FlatProperty): string {
  const { type, minimum, maximum, minLength, maxLength } = property
  if (property.enum) return `one of ${property.enum.join(', ')}`
  if (type === 'integer') return `a whole number${range(minimum, maximum, '')}`
  if (type === 'number') return `a number${range(minimum, maximum, '')}`
  if (type === 'string') return `text${range(minLength, maxLength, ' characters')}`
  return type === 'array' ? 'a list' : 'true or false'
}

function range(from: number | undefined, to: number | undefined, unit: string): string {
  if (from !== undefined && to !== undefined) return ` of ${from} to ${to}${unit}`
  if (to !== undefined) return ` of at most ${to}${unit}`
  return from === undefined ? '' : ` of at least ${from}${unit}`
}
