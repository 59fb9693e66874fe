import { type FieldDefinitionNode, Kind, print } from 'graphql'
import { namedType, type RootKind, type Types } from './collect-types.ts'

/** Maximum number of requested fields per level. */
const MAX_FIELDS = 6
/** Maximum object depth, as in a connection: `nodes { owner { login } }`. */
const MAX_DEPTH = 3

/** Returns a valid sample operation, with required arguments as variables and the plain fields of the result. */
export function sampleOperation(types: Types, kind: RootKind, field: FieldDefinitionNode): string {
  const required = (field.arguments ?? []).filter((arg) => arg.type.kind === Kind.NON_NULL_TYPE && !arg.defaultValue)
  const variables = required.map(({ name, type }) => `$${name.value}: ${print(type)}`).join(', ')
  const values = required.map(({ name }) => `${name.value}: $${name.value}`).join(', ')
  const name = field.name.value
  const head = `${kind} ${name.charAt(0).toUpperCase()}${name.slice(1)}${variables === '' ? '' : `(${variables})`}`
  const selection = select(types, namedType(field.type), 2)
  return `${head} {\n  ${name}${values === '' ? '' : `(${values})`}${selection}\n}`
}

/** Returns the selection set for a field of this type, or nothing for scalars. */
function select(types: Types, type: string, depth: number): string {
  const fields = types.fields.get(type)
  const indent = '  '.repeat(depth)
  if (!fields) {
    return types.named.get(type)?.kind === Kind.UNION_TYPE_DEFINITION
      ? ` {\n${indent}__typename\n${indent.slice(2)}}`
      : ''
  }
  const simple = fields.filter((field) => isLeaf(types, field) && !needsArguments(field))
  const deeper = fields.filter((field) => !isLeaf(types, field) && !needsArguments(field))
  const lines = simple.slice(0, MAX_FIELDS).map(({ name }) => name.value)
  if (lines.length < MAX_FIELDS && depth <= MAX_DEPTH) {
    for (const field of deeper.slice(0, 2))
      lines.push(field.name.value + select(types, namedType(field.type), depth + 1))
  }
  if (lines.length === 0) lines.push('__typename')
  return ` {\n${lines.map((line) => indent + line).join('\n')}\n${indent.slice(2)}}`
}

function isLeaf({ fields, named }: Types, { type }: FieldDefinitionNode): boolean {
  const name = namedType(type)
  return !fields.has(name) && named.get(name)?.kind !== Kind.UNION_TYPE_DEFINITION
}

function needsArguments(field: FieldDefinitionNode): boolean {
  return (field.arguments ?? []).some(({ type, defaultValue }) => type.kind === Kind.NON_NULL_TYPE && !defaultValue)
}
