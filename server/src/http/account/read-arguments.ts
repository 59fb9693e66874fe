import { operations } from '@docent/contract/operations'
import { unknownArguments } from '#mcp/definition/explain-arguments.ts'
import { isObject } from '#mcp/protocol/is-object.ts'
import { ToolError } from '#mcp/definition/tool-error.ts'
import { withoutNul } from '../without-nul.ts'
import { CONFIRM, type ManagementTool } from './account-tools.ts'

/** Arguments by name, and remarks on those that were ignored. */
export type Arguments = { values: Record<string, unknown>; remarks: string[] }

/**
 * Reads the arguments of a call. The operation validates them, so that its refusals are those of the management API.
 * Checks only what the API has no sentence for: ids in paths, and the confirmation of a deletion. Throws a `ToolError`
 * that says how to call again.
 */
export function readArguments(management: ManagementTool, given: unknown = {}): Arguments {
  const { tool, inputSchema } = management
  if (!isObject(given)) throw new ToolError('arguments', `The arguments of ${tool.name} must be a JSON object.`)
  const known = Object.keys(inputSchema.properties)
  const values = withoutNul(
    Object.fromEntries(Object.entries(given).filter(([name, value]) => known.includes(name) && !isBlank(value))),
  )
  for (const name of idArguments(management)) {
    if (typeof values[name] === 'string') continue
    const { description = '' } = inputSchema.properties[name] ?? {}
    throw new ToolError('arguments', `"${name}" must be text: ${description}. Call ${tool.name} again with it.`)
  }
  if (tool.kind === 'delete' && values[CONFIRM] !== true) throw new ToolError('arguments', unconfirmed(tool, values))
  const unknown = [...Object.keys(given).filter((name) => !known.includes(name)), ...unknownMembers(management, values)]
  if (unknown.length === 0) return { values, remarks: [] }
  const without = `The call was made without ${unknown.length === 1 ? 'it' : 'them'}.`
  return { values, remarks: [`${unknownArguments(tool.name, inputSchema, unknown)} ${without}`] }
}

/** Many clients fill optional arguments with null or "" instead of omitting them. */
const isBlank = (value: unknown): boolean => value === null || value === ''

/** Arguments that are in the path of the request, or name a server. */
function idArguments({ tool, requests }: ManagementTool): string[] {
  const paths = requests.map(({ id }) => operations[id].path).join()
  return Object.entries(tool.arguments).flatMap(([name, target]) =>
    typeof target === 'string' && (name === 'server' || paths.includes(`{${target}}`)) ? [name] : [],
  )
}

/** Members of list items that the tool does not take. */
function unknownMembers({ inputSchema }: ManagementTool, values: Record<string, unknown>): string[] {
  const names = Object.entries(inputSchema.properties).flatMap(([name, { items }]) => {
    const list = values[name]
    if (!items?.properties || !Array.isArray(list)) return []
    const members = list.flatMap((item) => (isObject(item) ? Object.keys(item) : []))
    return members.filter((member) => !Object.hasOwn(items.properties ?? {}, member)).map((each) => `${name}[].${each}`)
  })
  return [...new Set(names)]
}

function unconfirmed({ name, deletes = '' }: ManagementTool['tool'], values: Record<string, unknown>): string {
  const object = deletes.replaceAll(/\{([a-z_|]+)\}/g, (_, names: string) => {
    const value = names.split('|').flatMap((each) => values[each] ?? [])[0]
    return typeof value === 'string' ? value.slice(0, 200) : '?'
  })
  return `Nothing was deleted. This would delete ${object}. If the user wants that, call ${name} again with "${CONFIRM}": true.`
}
