import type { AccountTool, ArgumentOf } from '@docent/contract/account-tool'
import { ServerParameterSchema } from '@docent/contract/fields'
import type { Operation } from '@docent/contract/operation'
import { type OperationId, operations } from '@docent/contract/operations'
import { z } from 'zod'
import { defined } from '#lib/objects.ts'
import type { FlatProperty } from '#mcp/definition/flat-schema.ts'
import { dropBounds, type ListedTool, READ_ONLY, type ToolAnnotations } from '#mcp/definition/tool.ts'

export type ManagementTool = {
  tool: AccountTool
  listed: ListedTool
  inputSchema: ArgumentsSchema
  /** Operations that it requests, by the member of the result that holds the answer. Null: the answer is the result. */
  requests: readonly { member: string | null; id: OperationId }[]
}

/** JSON Schema that all MCP clients accept: plain values, and lists of them or of objects with plain members. */
type PlainSchema = Omit<FlatProperty, 'type' | 'enum' | 'items'> & {
  type: FlatProperty['type'] | 'object'
  enum?: unknown[]
  items?: PlainSchema
  properties?: Record<string, PlainSchema>
  required?: string[]
}

export type ArgumentsSchema = { type: 'object'; properties: Record<string, PlainSchema>; required?: string[] }

export const CONFIRM = 'confirm'

/** The tools of the account-level endpoint, in the order of the operations. */
export function managementTools(): ManagementTool[] {
  return Object.entries<Operation>(operations).flatMap(([id, operation]) =>
    operation.tool ? [managementTool(id as OperationId, operation, operation.tool)] : [],
  )
}

function managementTool(id: OperationId, operation: Operation, tool: AccountTool): ManagementTool {
  const { name, title, description, parts } = tool
  const inputSchema = argumentsSchema(operation, tool)
  const requests = parts
    ? Object.entries(parts).map(([member, part]) => ({ member, id: knownOperation(part) }))
    : [{ member: null, id }]
  const listed = { name, title, description, inputSchema, annotations: annotationsOf(operation, tool) }
  return { tool, listed, inputSchema, requests }
}

/** Publishing, issuing, deleting, and replacing values are more than additions, so that clients should ask first. */
function annotationsOf(operation: Operation, tool: AccountTool): ToolAnnotations {
  const { kind, idempotent = false, openWorld = false } = tool
  if (kind === 'read') return READ_ONLY
  return {
    readOnlyHint: false,
    destructiveHint: operation.needs?.[1] === 'publish' || operation.method !== 'POST',
    idempotentHint: idempotent || kind === 'delete',
    openWorldHint: openWorld,
  }
}

/** JSON Schema as zod writes it. */
export type AnySchema = Partial<Omit<PlainSchema, 'type' | 'items' | 'properties'>> & {
  type?: string | string[]
  anyOf?: AnySchema[]
  items?: AnySchema
  properties?: Record<string, AnySchema>
}

function argumentsSchema({ input }: Operation, tool: AccountTool): ArgumentsSchema {
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any', override: dropBounds }) as AnySchema
  const of = (argument: string, target: ArgumentOf) => {
    const { field, members } = typeof target === 'string' ? { field: target } : target
    const declared = schema.properties?.[field]
    if (!declared) throw new Error(`${tool.name}: the operation has no field ${field}`)
    return argument === 'server' ? SERVER : plainSchema(declared, members)
  }
  const isRequired = (target: ArgumentOf) =>
    typeof target === 'string' ? schema.required?.includes(target) : target.required
  const entries = Object.entries(tool.arguments)
  const properties = Object.fromEntries(entries.map(([argument, target]) => [argument, of(argument, target)]))
  const required = entries.filter(([, target]) => isRequired(target)).map(([argument]) => argument)
  if (tool.kind !== 'delete') return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) }
  return { type: 'object', properties: { ...properties, [CONFIRM]: CONFIRMATION }, required: [...required, CONFIRM] }
}

const TYPES: ReadonlySet<string> = new Set('string integer number boolean array object'.split(' '))

const isEmpty = (value: unknown): boolean => value === undefined || (Array.isArray(value) && value.length === 0)

/** For every operation, also those whose own field takes ids only. */
const SERVER = plainSchema(z.toJSONSchema(ServerParameterSchema.shape.id) as AnySchema)

const CONFIRMATION: PlainSchema = {
  type: 'boolean',
  description: 'true deletes. With anything else, the answer says what would be deleted',
}

function knownOperation(id: string): OperationId {
  if (!(id in operations)) throw new Error(`There is no operation ${id}`)
  return id as OperationId
}

/**
 * Reduces a schema to this subset. Of alternatives, null is dropped and a list preferred: clients reject unions, or drop
 * their tools. `members` limits the items of a list to these. Throws if no plain schema is left.
 */
function plainSchema(schema: AnySchema, members?: readonly string[]): PlainSchema {
  const { description, default: value } = schema
  const chosen = choose(schema)
  const [type] = [chosen.type ?? []].flat().filter((name) => name !== 'null')
  const { enum: choices, minimum, maximum, minLength, maxLength, items, properties, required } = chosen
  if (type === undefined || !TYPES.has(type)) throw new Error(`This is not a plain value: ${JSON.stringify(schema)}`)
  const names = Object.keys(properties ?? {}).filter((name) => members?.includes(name) ?? true)
  return {
    type: type as PlainSchema['type'],
    ...defined({ description, enum: choices, minimum, maximum, minLength, maxLength }),
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
