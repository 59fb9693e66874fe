import type { FlatProperty, FlatSchema } from './flat-schema.ts'

/** Says in words which arguments to mend and how; models read this and call again. */
export function explainArguments(
  tool: string,
  schema: FlatSchema,
  issues: readonly { path: readonly PropertyKey[] }[],
): string {
  const names = new Set(issues.map(({ path }) => String(path[0])))
  const sentences = [...names].map((name) => {
    const property = schema.properties[name]
    if (!property) return `"${name}" is not an argument.`
    return `"${name}" must be ${describe(property)}${property.description ? `: ${property.description}` : ''}.`
  })
  return `${sentences.join(' ')} Call ${tool} again with the arguments corrected.`
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
