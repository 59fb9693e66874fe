import type { Operation } from '@docent/contract/operation'
import { z } from 'zod'
import { memoizeByObject } from '#lib/objects.ts'

type Schema = {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  default?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  minLength?: number
  minimum?: number
}

/** An address that the service may index in tests, without a listener. */
const NOWHERE = 'http://127.0.0.1:19151/'

/** A valid input with every field filled, made from the operation's schema. Each call makes a new one. */
export function exampleInput({ input }: Pick<Operation, 'input'>): Record<string, unknown> {
  return exampleOf(schemaOf(input)) as Record<string, unknown>
}

/** Making a schema takes longer than a request. */
const schemaOf = memoizeByObject(
  (input: Operation['input']) => z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Schema,
)

function exampleOf(schema: Schema, name = ''): unknown {
  const inner = (schema.anyOf ?? schema.oneOf)?.[0]
  if (inner) return exampleOf(inner, name)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum.at(-1)
  switch ([schema.type ?? 'string'].flat()[0]) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([key, property]) => [key, exampleOf(property, key)]),
      )
    case 'array':
      return [exampleOf(schema.items ?? {}, name)]
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1)
    default:
      return name === 'url' ? NOWHERE : 'example '.repeat(Math.ceil(Math.max(24, schema.minLength ?? 0) / 8))
  }
}
