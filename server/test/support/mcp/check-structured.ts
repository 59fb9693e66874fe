import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { toolFor } from '#mcp/tools/tools.ts'
import type { ServedSource } from '#store/servers/served.ts'

const ajv = new Ajv2020({ allErrors: true })
/** Compiling a schema takes longer than most calls. */
const checks = new Map<object, ValidateFunction>()

/**
 * Throws unless a tool's structured content matches the schema that the tool declares on a server with these sources.
 * Undeclared members are refused.
 */
export function checkStructured(
  name: string,
  structured: unknown,
  sources: readonly Pick<ServedSource, 'type' | 'allowedTools'>[],
): void {
  const schema = toolFor(name, sources)?.listed.outputSchema
  if (schema === undefined) throw new Error(`${name} declares no output`)
  const validate = checks.get(schema) ?? ajv.compile(closed(schema) as object)
  checks.set(schema, validate)
  if (validate(structured)) return
  const wrong = (validate.errors ?? []).map(({ instancePath, message, params }) => [instancePath, message, params])
  throw new Error(`${name} answers what it does not declare: ${JSON.stringify(wrong)}`)
}

/** The schema with `additionalProperties: false` on its objects. */
function closed(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return schema.map(closed)
  const members = Object.entries(schema).map(([key, value]) => [key, closed(value)] as const)
  const isOpen = 'properties' in schema && !('additionalProperties' in schema)
  return { ...Object.fromEntries(members), ...(isOpen ? { additionalProperties: false } : {}) }
}
