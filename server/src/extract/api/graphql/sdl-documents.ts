import {
  type DefinitionNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  Kind,
  type TypeDefinitionNode,
  type TypeNode,
  print,
  type DirectiveDefinitionNode,
} from 'graphql'
import { type ApiDocument, joinParts, section, cellText, embedText } from '../api-document.ts'
import { writeFence, writeTable, writeDefinition } from '../describe-schema.ts'

type RootKind = 'query' | 'mutation' | 'subscription'

export type Types = {
  named: Map<string, TypeDefinitionNode>
  /** Fields of objects and interfaces by type name, including those of extensions. */
  fields: Map<string, FieldDefinitionNode[]>
  inputs: Map<string, InputValueDefinitionNode[]>
  /** Root types of operations, if the schema has them. */
  roots: Map<RootKind, string>
  /** Description of the schema, or empty. */
  description: string
}

/** Collects the types of a possibly incomplete schema. The first of several definitions with one name wins. */
export function collectTypes(definitions: readonly DefinitionNode[]): Types {
  const types: Types = { named: new Map(), fields: new Map(), inputs: new Map(), roots: new Map(), description: '' }
  for (const each of definitions) {
    addMembers(types, each)
    if (isTypeDefinition(each) && !types.named.has(each.name.value)) types.named.set(each.name.value, each)
  }
  // Without a schema definition the default root names apply (GraphQL specification, section 3.3.1).
  if (definitions.some(({ kind }) => kind === Kind.SCHEMA_DEFINITION)) return types
  for (const kind of ['query', 'mutation', 'subscription'] as const) {
    const usual = kind.charAt(0).toUpperCase() + kind.slice(1)
    if (types.fields.has(usual)) types.roots.set(kind, usual)
  }
  return types
}

/** Extensions can precede the extended type, or appear without it. */
function addMembers(types: Types, definition: DefinitionNode): void {
  switch (definition.kind) {
    case Kind.SCHEMA_DEFINITION:
      types.description = definition.description?.value ?? ''
      for (const { operation, type } of definition.operationTypes) types.roots.set(operation, type.name.value)
      break
    case Kind.SCHEMA_EXTENSION:
      for (const { operation, type } of definition.operationTypes ?? []) types.roots.set(operation, type.name.value)
      break
    case Kind.OBJECT_TYPE_DEFINITION:
    case Kind.INTERFACE_TYPE_DEFINITION:
    case Kind.OBJECT_TYPE_EXTENSION:
    case Kind.INTERFACE_TYPE_EXTENSION:
      append(types.fields, definition.name.value, definition.fields)
      break
    case Kind.INPUT_OBJECT_TYPE_DEFINITION:
    case Kind.INPUT_OBJECT_TYPE_EXTENSION:
      append(types.inputs, definition.name.value, definition.fields)
      break
    default:
  }
}

function append<T>(members: Map<string, T[]>, name: string, more: readonly T[] = []): void {
  const known = members.get(name)
  if (known) for (const each of more) known.push(each)
  else members.set(name, [...more])
}

function isTypeDefinition(node: DefinitionNode): node is TypeDefinitionNode {
  return /^(?:Scalar|Object|Interface|Union|Enum|InputObject)TypeDefinition$/.test(node.kind)
}

/** Returns the name inside list and non-null wrappers. */
function namedType(type: TypeNode): string {
  let inner = type
  while (inner.kind !== Kind.NAMED_TYPE) inner = inner.type
  return inner.name.value
}

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

function fieldTable(fields: readonly FieldDefinitionNode[]): string {
  const rows = fields.map((field) => {
    const args = (field.arguments ?? []).map(({ name }) => name.value).join(', ')
    const words = [deprecation(field.directives), cellText(field.description?.value ?? '')].filter(Boolean).join(' ')
    return [`\`${field.name.value}${args === '' ? '' : `(${args})`}\``, `\`${print(field.type)}\``, words]
  })
  return writeTable(['Field', 'Type', 'Description'], rows)
}

function inputTable(inputs: readonly InputValueDefinitionNode[], head: string): string {
  const rows = inputs.map(({ name, type, defaultValue, description, directives }) => {
    const usual = defaultValue ? `Default: \`${print(defaultValue)}\`.` : ''
    const required = type.kind === Kind.NON_NULL_TYPE && !defaultValue ? 'yes' : ''
    const words = [deprecation(directives), cellText(description?.value ?? ''), usual].filter(Boolean).join(' ')
    return [`\`${name.value}\``, `\`${print(type)}\``, required, words]
  })
  return writeTable([head, 'Type', 'Required', 'Description'], rows)
}

function deprecation(directives: FieldDefinitionNode['directives']): string {
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
