import { type Bounded, boundsOf } from './bounds.ts'

export type JsonSchema = Bounded & {
  description?: string
  default?: unknown
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
}

/** A Markdown table of the fields of an object schema, nested ones by path (`sources[].url`). Empty without fields. */
export function fieldTable(schema: JsonSchema): string {
  const rows = rowsOf(schema)
  return rows.length === 0 ? '' : table(['Field', 'Type', 'Description'], rows)
}

/** The alternatives of a union; the schema itself if it is none. */
export function variantsOf(schema: JsonSchema): readonly JsonSchema[] {
  const objects = (schema.oneOf ?? schema.anyOf ?? []).filter(({ properties }) => properties !== undefined)
  return objects.length > 1 ? objects : [schema]
}

function rowsOf(schema: JsonSchema, prefix = ''): string[][] {
  const inner = valueOf(schema)
  if (inner.items) return rowsOf(inner.items, `${prefix}[]`)
  return Object.entries(inner.properties ?? {}).flatMap(([name, field]) => {
    const path = prefix ? `${prefix}.${name}` : name
    const optional = inner.required?.includes(name) ? '' : ', optional'
    return [[code(path), typeOf(field) + optional, describe(field)], ...rowsOf(field, path)]
  })
}

/** The schema of a value that is not null. Alternative objects become one with the members of all. */
function valueOf(schema: JsonSchema): JsonSchema {
  const variants = variantsOf(schema)
  if (variants.length > 1) return joined(variants)
  return (schema.anyOf ?? schema.oneOf)?.find(({ type }) => type !== 'null') ?? schema
}

/** One object schema with the members of several. A member that one of them lacks is optional. */
function joined(variants: readonly JsonSchema[]): JsonSchema {
  const properties: Record<string, JsonSchema> = {}
  for (const variant of variants) {
    for (const [name, field] of Object.entries(variant.properties ?? {})) {
      const known = properties[name]
      const { const: value, ...rest } = field
      if (value === undefined) properties[name] ??= field
      else properties[name] = { ...rest, enum: [...(known?.enum ?? []), value] }
    }
  }
  const required = Object.keys(properties).filter((name) =>
    variants.every((variant) => variant.required?.includes(name)),
  )
  return { type: 'object', properties, required }
}

function typeOf(schema: JsonSchema): string {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return [...new Set(choices.map(typeOf))].join(' or ')
  if (schema.const !== undefined) return code(JSON.stringify(schema.const))
  if (schema.enum) return `one of ${schema.enum.map((one) => code(String(one))).join(', ')}`
  if (schema.items) return `array of ${typeOf(schema.items)}`
  return [schema.type ?? 'any'].flat().join(' or ')
}

function describe(schema: JsonSchema): string {
  const { description = '', default: value } = schema
  const bounds = capital(boundsOf(valueOf(schema)))
  const given = value === undefined ? '' : `Default: ${code(JSON.stringify(value))}`
  return [description, bounds, given].filter(Boolean).join('. ')
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

export const code = (text: string): string => `\`${text}\``

export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
