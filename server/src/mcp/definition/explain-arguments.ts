import { oneLine } from '#mcp/passages/frame.ts'
import type { FlatProperty, FlatSchema } from './flat-schema.ts'

/** Explains which arguments to correct and how. Models read this and call again. */
export function explainArguments(
  tool: string,
  schema: FlatSchema,
  issues: readonly { path: readonly PropertyKey[] }[],
  unknown: readonly string[] = [],
): string {
  const names = new Set(issues.map(({ path }) => String(path[0])))
  const sentences = [...names].map((name) => {
    const property = schema.properties[name]
    if (!property) return `"${name}" is not an argument.`
    return `"${name}" must be ${describe(property)}${property.description ? `: ${property.description}` : ''}.`
  })
  const others = unknown.length > 0 ? [unknownArguments(tool, schema, unknown)] : []
  return `${[...sentences, ...others].join(' ')} Call ${tool} again with the arguments corrected.`
}

/** Maximum number of listed names, and their clipped length. The names are untrusted. */
const MOST_NAMES = 5
const MOST_CHARACTERS = 40

/** Lists the unknown arguments of a call and the known ones of the tool. */
export function unknownArguments(
  tool: string,
  schema: { properties: Readonly<Record<string, unknown>> },
  unknown: readonly string[],
): string {
  const names = unknown.slice(0, MOST_NAMES).map((name) => `"${oneLine(name, MOST_CHARACTERS)}"`)
  const known = Object.keys(schema.properties).join(', ')
  return `There is no argument ${names.join(' or ')}: ${tool} takes ${known || 'none'}.`
}

function describe(property: FlatProperty): string {
  if (property.enum) return `one of ${property.enum.join(', ')}`
  const { type, minimum, maximum, minLength, maxLength } = property
  if (type === 'integer' || type === 'number') {
    return (type === 'integer' ? 'a whole number' : 'a number') + range(minimum, maximum, '')
  }
  if (type === 'string') return 'text' + range(minLength, maxLength, ' characters')
  return type === 'array' ? 'a list' : 'true or false'
}

function range(from: number | undefined, to: number | undefined, unit: string): string {
  if (from !== undefined && to !== undefined) return ` of ${from} to ${to}${unit}`
  if (to !== undefined) return ` of at most ${to}${unit}`
  return from === undefined ? '' : ` of at least ${from}${unit}`
}
