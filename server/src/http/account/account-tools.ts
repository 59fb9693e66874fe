import type { AccountTool, ArgumentOf } from '@docent/contract/account-tool'
import { ServerParameterSchema } from '@docent/contract/fields'
import type { Operation } from '@docent/contract/operation'
import { type OperationId, operations } from '@docent/contract/operations'
import { z } from 'zod'
import { type ListedTool, READ_ONLY, type ToolAnnotations } from '#mcp/definition/tool.ts'
import { type AnySchema, type PlainSchema, plainSchema } from './plain-schema.ts'

/** A tool of the account-level endpoint. */
export type ManagementTool = {
  tool: AccountTool
  listed: ListedTool
  inputSchema: ArgumentsSchema
  /** Operations that it requests, by the member of the result that holds the answer. Null: the answer is the result. */
  requests: readonly { member: string | null; id: OperationId }[]
}

/** Schema of a tool's arguments. */
export type ArgumentsSchema = { type: 'object'; properties: Record<string, PlainSchema>; required?: string[] }

/** Argument of tools that delete. */
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
  return {
    tool,
    listed: { name, title, description, inputSchema, annotations: annotationsOf(tool) },
    inputSchema,
    requests,
  }
}

function annotationsOf({ kind, idempotent = false, openWorld = false }: AccountTool): ToolAnnotations {
  if (kind === 'read') return READ_ONLY
  return {
    readOnlyHint: false,
    destructiveHint: kind === 'delete',
    idempotentHint: idempotent || kind === 'delete',
    openWorldHint: openWorld,
  }
}

function argumentsSchema({ input }: Operation, tool: AccountTool): ArgumentsSchema {
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as AnySchema
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
  const required = entries.flatMap(([argument, target]) => (isRequired(target) ? [argument] : []))
  if (tool.kind !== 'delete') return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) }
  return { type: 'object', properties: { ...properties, [CONFIRM]: CONFIRMATION }, required: [...required, CONFIRM] }
}

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
