/** The part of our OpenAPI document that the screen shows. */
export type Schema = {
  type?: string | readonly string[]
  description?: string
  const?: unknown
  enum?: readonly unknown[]
  default?: unknown
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
}
type Content = Readonly<Record<string, { schema?: Schema }>>
type Parameter = { name: string; in: string; required: boolean; description?: string; schema: Schema }

export type Described = {
  operationId: string
  tags: readonly string[]
  summary: string
  description?: string
  security: readonly object[]
  parameters?: readonly Parameter[]
  requestBody?: { content: Content }
  responses: Readonly<Record<string, { description: string; content?: Content }>>
}

export type Operation = Described & { method: string; path: string }
export type Field = { path: string; type: string; about: string }

type Document = { paths: Readonly<Record<string, Readonly<Record<string, Described>>>> }

/** Operations by subject, in the order of the document. */
export function operationsOf({ paths }: Document): Map<string, Operation[]> {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({ ...one, method: method.toUpperCase(), path })),
  )
  return Map.groupBy(all, ({ tags }) => tags[0] ?? '')
}

/** The fields of a request: parameters, then members of the body. */
export function inputOf({ parameters = [], requestBody }: Operation): Field[] {
  const named = parameters.map(({ name, in: where, required, description, schema }) => ({
    path: name,
    type: `${typeOf(schema)}, in the ${where}${required ? '' : ', optional'}`,
    about: description ?? schema.description ?? '',
  }))
  return [...named, ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => fieldsOf(schema ?? {}))]
}

/** The fields of the answer; of a stream, those of each kind of item. */
export function outputOf({ responses }: Operation): Field[] {
  const [first] = Object.values(responses['200']?.content ?? {})
  const schema = first?.schema ?? {}
  const variants = schema.oneOf ?? [schema]
  return variants.flatMap((variant) => fieldsOf(variant))
}

/** The errors of an operation: status and sentences. */
export function errorsOf({ responses }: Operation): { status: string; about: string }[] {
  return Object.entries(responses)
    .filter(([status]) => status !== '200')
    .map(([status, { description }]) => ({ status, about: description }))
}

/** Nested fields are named by their path, such as `sources[].url`. */
function fieldsOf(schema: Schema, prefix = ''): Field[] {
  const inner = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].find(({ type }) => type !== 'null') ?? schema
  if (inner.items) return fieldsOf(inner.items, `${prefix}[]`)
  return Object.entries(inner.properties ?? {}).flatMap(([name, field]) => {
    const path = prefix ? `${prefix}.${name}` : name
    const optional = inner.required?.includes(name) ? '' : ', optional'
    return [{ path, type: typeOf(field) + optional, about: field.description ?? '' }, ...fieldsOf(field, path)]
  })
}

function typeOf(schema: Schema): string {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return [...new Set(choices.map(typeOf))].join(' or ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map(String).join(' | ')
  if (schema.items) return `array of ${typeOf(schema.items)}`
  return [schema.type ?? 'any'].flat().join(' or ')
}
