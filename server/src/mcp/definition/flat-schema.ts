import { z } from 'zod'

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

const KEYWORDS = new Set([
  'type',
  'description',
  'enum',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'default',
  'items',
])
const TYPES = new Set(['string', 'integer', 'number', 'boolean', 'array'])

/**
 * Converts a zod object to the subset of JSON Schema that all clients accept. It excludes `$schema`, `$ref`, unions,
 * type arrays and `additionalProperties`, because several clients drop such tools. Throws if the object does not fit.
 */
export function flatSchema(input: z.ZodObject): FlatSchema {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input' })
  const flat = Object.entries(properties).map(([name, property]) => [name, flatProperty(name, property)] as const)
  return { type: 'object', properties: Object.fromEntries(flat), ...(required.length > 0 ? { required } : {}) }
}

function flatProperty(name: string, property: unknown): FlatProperty {
  if (!isFlat(property)) throw new Error(`The argument "${name}" is not a plain value: ${JSON.stringify(property)}`)
  return property
}

function isFlat(property: unknown): property is FlatProperty {
  if (typeof property !== 'object' || property === null || !('type' in property)) return false
  return TYPES.has(String(property.type)) && Object.keys(property).every((keyword) => KEYWORDS.has(keyword))
}
