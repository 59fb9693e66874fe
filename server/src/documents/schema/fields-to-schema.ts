import data from './type-names.json' with { type: 'json' }
import type { Parameter } from '../reference/read-parameters.ts'

type Schema = {
  type?: string
  description?: string
  properties?: Record<string, Schema>
  items?: Schema
  required?: string[]
  enum?: string[]
}

/** Types of JSON Schema by their names there and in other languages. */
const TYPES = new Map(Object.entries(data).flatMap(([type, names]) => [type, ...names].map((name) => [name, type])))

/** A JSON Schema of fields. Nests names such as `address.city` and `items[].id`, and omits unknown types. */
export function fieldsToSchema(fields: readonly Parameter[]): Schema {
  const root: Schema = { type: 'object', properties: {} }
  for (const field of fields) place(root, field)
  return root
}

function place(root: Schema, { name, type, required, description }: Parameter): void {
  const path = name.split('.').filter(Boolean)
  let at = root
  for (const [index, part] of path.entries()) {
    const key = part.replaceAll(/\[\w*\]/g, '')
    if (key === '' || key === '__proto__') return
    at.properties ??= {}
    const known: Schema = (Object.hasOwn(at.properties, key) ? at.properties[key] : undefined) ?? {}
    at.properties[key] = known
    const isLast = index === path.length - 1
    if (isLast) {
      Object.assign(known, typeOf(type), description === '' ? {} : { description })
      if (required === true) at.required = [...(at.required ?? []), key]
    }
    if (part.endsWith(']')) {
      known.type = 'array'
      known.items ??= isLast ? {} : { type: 'object' }
      at = known.items
    } else {
      if (!isLast) known.type ??= 'object'
      at = known
    }
  }
}

function typeOf(said: string | null): Schema {
  if (said === null) return {}
  const text = said.toLowerCase().trim()
  const array = /^(?:array|list)(?: of |<)([\w ]+)>?$|^([\w]+)\[\]$/.exec(text)
  if (array) return { type: 'array', items: typeOf(array[1] ?? array[2] ?? '') }
  const [word = ''] = /^[a-z]+/.exec(text) ?? []
  const type = TYPES.get(word)
  return type ? { type } : {}
}
