import { type FieldDefinitionNode, type InputValueDefinitionNode, Kind, print } from 'graphql'
import { type ApiDocument, joinParts, section } from '../api-document.ts'
import { cellText, embedText } from '../embed-text.ts'
import { writeFence, writeTable } from '../write-table.ts'
import { namedType, type RootKind, type Types } from './collect-types.ts'
import { sampleOperation } from './sample-operation.ts'

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
