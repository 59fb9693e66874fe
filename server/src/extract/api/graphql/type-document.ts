import { type DirectiveDefinitionNode, Kind, print, type TypeDefinitionNode } from 'graphql'
import { type ApiDocument, joinParts, section } from '../api-document.ts'
import { cellText, embedText } from '../embed-text.ts'
import { writeDefinition } from '../describe-schema.ts'
import { writeTable } from '../write-table.ts'
import type { Types } from './collect-types.ts'
import { deprecation, fieldTable, inputTable } from './field-document.ts'

const WORDS: Record<TypeDefinitionNode['kind'], string> = {
  [Kind.SCALAR_TYPE_DEFINITION]: 'scalar',
  [Kind.OBJECT_TYPE_DEFINITION]: 'type',
  [Kind.INTERFACE_TYPE_DEFINITION]: 'interface',
  [Kind.UNION_TYPE_DEFINITION]: 'union',
  [Kind.ENUM_TYPE_DEFINITION]: 'enum',
  [Kind.INPUT_OBJECT_TYPE_DEFINITION]: 'input',
}

/** Documents a type: its kind, and its fields or values. */
export function typeDocument(types: Types, type: TypeDefinitionNode): ApiDocument {
  const name = type.name.value
  const word = WORDS[type.kind]
  const markdown = joinParts([
    `# ${name}`,
    `GraphQL ${word} \`${name}\`${relations(type)}.`,
    embedText(type.description?.value ?? '', 1),
    section('Fields', fieldTable(types.fields.get(name) ?? [])),
    section('Input fields', inputTable(types.inputs.get(name) ?? [], 'Field')),
    section('Values', values(type)),
    section('Definition', writeDefinition('graphql', definition(types, type))),
  ])
  return { subject: { kind: 'type', name }, title: `${name} (${word})`, markdown, pointer: null }
}

export function directiveDocument(directive: DirectiveDefinitionNode): ApiDocument {
  const name = `@${directive.name.value}`
  const markdown = joinParts([
    `# ${name}`,
    `GraphQL directive \`${name}\`${directive.repeatable ? ', repeatable' : ''}, on ${directive.locations
      .map(({ value }) => value)
      .join(', ')}.`,
    embedText(directive.description?.value ?? '', 1),
    section('Arguments', inputTable(directive.arguments ?? [], 'Argument')),
  ])
  return { subject: { kind: 'directive', name }, title: `${name} (directive)`, markdown, pointer: null }
}

/**
 * Renders the definition of a type with its extensions merged in. Omits descriptions, because the document already
 * contains them.
 */
function definition(types: Types, type: TypeDefinitionNode): string {
  const { description: _, ...bare } = type
  const name = type.name.value
  if (bare.kind === Kind.OBJECT_TYPE_DEFINITION || bare.kind === Kind.INTERFACE_TYPE_DEFINITION)
    return print({ ...bare, fields: (types.fields.get(name) ?? []).map(withoutDescription) })
  if (bare.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION)
    return print({ ...bare, fields: (types.inputs.get(name) ?? []).map(withoutDescription) })
  if (bare.kind === Kind.ENUM_TYPE_DEFINITION)
    return print({ ...bare, values: (bare.values ?? []).map(withoutDescription) })
  return print(bare)
}

function withoutDescription<T extends { description?: unknown }>({
  description: _,
  ...node
}: T): Omit<T, 'description'> {
  return node
}

function relations(type: TypeDefinitionNode): string {
  if (type.kind === Kind.UNION_TYPE_DEFINITION) {
    return ` of ${(type.types ?? []).map((each) => `\`${print(each)}\``).join(', ')}`
  }
  if (type.kind !== Kind.OBJECT_TYPE_DEFINITION && type.kind !== Kind.INTERFACE_TYPE_DEFINITION) return ''
  const interfaces = (type.interfaces ?? []).map((each) => `\`${print(each)}\``)
  return interfaces.length === 0 ? '' : `, implements ${interfaces.join(', ')}`
}

function values(type: TypeDefinitionNode): string {
  if (type.kind !== Kind.ENUM_TYPE_DEFINITION) return ''
  const rows = (type.values ?? []).map(({ name, description, directives }) => [
    `\`${name.value}\``,
    [deprecation(directives), cellText(description?.value ?? '')].filter(Boolean).join(' '),
  ])
  return writeTable(['Value', 'Description'], rows)
}
