/** JSON Schema that all MCP clients accept: plain values, and lists of them or of objects with plain members. */
export type PlainSchema = {
  type: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object'
  description?: string
  enum?: unknown[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  default?: unknown
  items?: PlainSchema
  properties?: Record<string, PlainSchema>
  required?: string[]
}

/** JSON Schema as zod writes it. */
export type AnySchema = Partial<Omit<PlainSchema, 'type' | 'items' | 'properties'>> & {
  type?: string | string[]
  anyOf?: AnySchema[]
  items?: AnySchema
  properties?: Record<string, AnySchema>
}

const TYPES: ReadonlySet<string> = new Set(['string', 'integer', 'number', 'boolean', 'array', 'object'])

/**
 * Reduces a schema to this subset. Of alternatives, null is dropped and a list preferred: clients reject unions, or drop
 * their tools. `members` limits the items of a list to these. Throws if no plain schema is left.
 */
export function plainSchema(schema: AnySchema, members?: readonly string[]): PlainSchema {
  const { description, default: value } = schema
  const chosen = choose(schema)
  const [type] = [chosen.type ?? []].flat().filter((name) => name !== 'null')
  const { enum: choices, minimum, maximum, minLength, maxLength, items, properties, required } = chosen
  if (type === undefined || !TYPES.has(type)) throw new Error(`This is not a plain value: ${JSON.stringify(schema)}`)
  const bounds = Object.entries({ minimum, maximum, minLength, maxLength }).filter(([, bound]) => isBound(bound))
  const names = Object.keys(properties ?? {}).filter((name) => members?.includes(name) ?? true)
  return {
    type: type as PlainSchema['type'],
    ...(description === undefined ? {} : { description }),
    ...(choices ? { enum: choices } : {}),
    ...Object.fromEntries(bounds),
    ...(isEmpty(value) ? {} : { default: value }),
    ...(items ? { items: plainSchema(items, members) } : {}),
    ...(properties
      ? {
          properties: Object.fromEntries(names.map((name) => [name, plainSchema(properties[name] ?? {})])),
          required: (required ?? []).filter((name) => names.includes(name)),
        }
      : {}),
  }
}

function choose(schema: AnySchema): AnySchema {
  const choices = (schema.anyOf ?? []).filter(({ type }) => type !== 'null').map(choose)
  return choices.find(({ type }) => type === 'array') ?? choices[0] ?? schema
}

/** Zod adds the bounds of safe integers. */
const isBound = (bound: number | undefined): boolean => bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER

const isEmpty = (value: unknown): boolean => value === undefined || (Array.isArray(value) && value.length === 0)
