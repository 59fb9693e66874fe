import {
  type DefinitionNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  Kind,
  type TypeDefinitionNode,
  type TypeNode,
} from 'graphql'

export type RootKind = 'query' | 'mutation' | 'subscription'

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
export function namedType(type: TypeNode): string {
  let inner = type
  while (inner.kind !== Kind.NAMED_TYPE) inner = inner.type
  return inner.name.value
}
