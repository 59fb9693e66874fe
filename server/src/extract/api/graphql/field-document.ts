import { type FieldDefinitionNode, type InputValueDefinitionNode, Kind, print } from 'graphql'
import { type ApiDocument, joinParts, section } from '../api-document.ts'
import { cellText, embedText } from '../embed-text.ts'
import { writeFence, writeTable } from '../write-table.ts'
import { namedType, type RootKind, type Types } from './collect-types.ts'

/** Maximum number of requested fields per level. */
const MAX_FIELDS = 6

/** Maximum object depth, as in a connection: `nodes { owner { login } }`. */
const MAX_DEPTH = 3

/** Documents one query, mutation or subscription. */
export function fieldDocument(types: Types, kind: RootKind, field: FieldDefinitionNode): ApiDocument {
  const name = field.name.value
  const args = field.arguments ?? []
  const result = namedType(field.type)
  const markdown = joinParts([
    `# ${kind} ${name}`,
    writeFence('graphql', signature(field)),
    deprecation(field.directives),
    embedText(field.description?.value ?? '', 1),
    section('Arguments', inputTable(args, 'Argument')),
    section(
      'Returns',
      joinParts([`\`${print(field.type)}\``, fieldTable((types.fields.get(result) ?? []).slice(0, MAX_RESULT_FIELDS))]),
    ),
    section('Sample request', writeFence('graphql', sampleOperation(types, kind, field))),
  ])
  const subject = { kind: 'operation' as const, name: `${kind} ${name}` }
  return { subject, title: `${kind} ${name}`, markdown, pointer: null }
}

/** Maximum number of result fields listed per operation. The document of the type lists all. */
const MAX_RESULT_FIELDS = 40

/** Renders a field as in the schema, without descriptions. */
export function signature(field: FieldDefinitionNode): string {
  const args = (field.arguments ?? []).map((each) => {
    const usual = each.defaultValue ? ` = ${print(each.defaultValue)}` : ''
    return `${each.name.value}: ${print(each.type)}${usual}`
  })
  const type = print(field.type)
  const line = `${field.name.value}${args.length === 0 ? '' : `(${args.join(', ')})`}: ${type}`
  return line.length <= 100 ? line : `${field.name.value}(\n${args.map((arg) => `  ${arg}`).join('\n')}\n): ${type}`
}

export function fieldTable(fields: readonly FieldDefinitionNode[]): string {
  const rows = fields.map((field) => {
    const args = (field.arguments ?? []).map(({ name }) => name.value).join(', ')
    const words = [deprecation(field.directives), cellText(field.description?.value ?? '')].filter(Boolean).join(' ')
    return [`\`${field.name.value}${args === '' ? '' : `(${args})`}\``, `\`${print(field.type)}\``, words]
  })
  return writeTable(['Field', 'Type', 'Description'], rows)
}

export function inputTable(inputs: readonly InputValueDefinitionNode[], head: string): string {
  const rows = inputs.map(({ name, type, defaultValue, description, directives }) => {
    const usual = defaultValue ? `Default: \`${print(defaultValue)}\`.` : ''
    const required = type.kind === Kind.NON_NULL_TYPE && !defaultValue ? 'yes' : ''
    const words = [deprecation(directives), cellText(description?.value ?? ''), usual].filter(Boolean).join(' ')
    return [`\`${name.value}\``, `\`${print(type)}\``, required, words]
  })
  return writeTable([head, 'Type', 'Required', 'Description'], rows)
}

export function deprecation(directives: FieldDefinitionNode['directives']): string {
  const found = directives?.find(({ name }) => name.value === 'deprecated')
  if (!found) return ''
  const reason = found.arguments?.find(({ name }) => name.value === 'reason')?.value
  return reason?.kind === Kind.STRING ? `**Deprecated**: ${reason.value.replace(/\s+/g, ' ')}` : '**Deprecated.**'
}

/** Returns a valid sample operation, with required arguments as variables and the plain fields of the result. */
function sampleOperation(types: Types, kind: RootKind, field: FieldDefinitionNode): string {
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
