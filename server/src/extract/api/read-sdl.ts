import {
  buildClientSchema,
  type DefinitionNode,
  type DirectiveDefinitionNode,
  type FieldDefinitionNode,
  GraphQLError,
  type InputValueDefinitionNode,
  type IntrospectionQuery,
  isTypeDefinitionNode,
  Kind,
  type NamedTypeNode,
  parse,
  print,
  printSchema,
  type TypeDefinitionNode,
  type TypeNode,
} from 'graphql'
import { cellText, embedText, fenced, joinParts, section, writeTable } from '../markdown/write-markdown.ts'
import {
  type ApiDescription,
  type ApiDocument,
  describeApi,
  rejectDescription,
  type NoDescription,
} from './api-document.ts'
import { writeDefinition } from './describe-schema.ts'
import type { Loose } from './parse-data.ts'

/** Upper bound for tokens. The largest public schemas have about 300,000. */
const MAX_TOKENS = 2_000_000

const TITLE = 'GraphQL schema'
const KEYWORD = /^[ \t]*(?:extend\s+)?(?:schema|type|interface|union|enum|input|scalar|directive)\b\s*[@{\w]/m

/** Returns true if the text is GraphQL SDL rather than YAML or JSON. */
export function looksLikeSdl(text: string): boolean {
  if (/^\s*\{\s*"/.test(text) || /^[ \t]*["']?(?:openapi|swagger|asyncapi)["']?\s*:/m.test(text)) return false
  return KEYWORD.test(text.slice(0, 100_000)) && text.includes('{')
}

/** Converts a schema, or a part of one, to an overview and a document per operation, type and directive. */
export function readSdl(text: string): ApiDescription | NoDescription {
  let definitions: readonly DefinitionNode[]
  try {
    definitions = parse(text, { noLocation: true, maxTokens: MAX_TOKENS }).definitions
  } catch (error) {
    if (!(error instanceof GraphQLError || error instanceof RangeError)) throw error
    return rejectDescription('malformed', `The GraphQL schema cannot be read: ${error.message.slice(0, 300)}`)
  }
  const types = collectTypes(definitions)
  const operations = [...types.roots].flatMap(([kind, root]) =>
    (types.fields.get(root) ?? []).map((field) => fieldDocument(types, kind, field)),
  )
  const roots = new Set(types.roots.values())
  const named = types.named.values().filter(({ name }) => !roots.has(name.value))
  const directives = definitions.filter((each) => each.kind === Kind.DIRECTIVE_DEFINITION)
  const documents = [
    ...operations,
    ...named.map((type) => typeDocument(types, type)),
    ...directives.map(directiveDocument),
  ]
  if (documents.length === 0) return rejectDescription('not_a_description', 'The GraphQL document defines no types.')
  const schema = definitions.find((each) => each.kind === Kind.SCHEMA_DEFINITION)
  const markdown = overviewOf(schema?.description?.value ?? '', documents)
  return describeApi('GraphQL', { title: TITLE, markdown }, documents)
}

function overviewOf(description: string, documents: ApiDocument[]): string {
  const subjects = documents.flatMap(({ subject }) => subject ?? [])
  const named = (prefix: string) =>
    subjects.flatMap(({ name }) => (name.startsWith(prefix) ? [`- \`${name}\``] : [])).join('\n')
  return joinParts([
    `# ${TITLE}`,
    description,
    section('Queries', named('query ')),
    section('Mutations', named('mutation ')),
    section('Subscriptions', named('subscription ')),
    section('Types', subjects.flatMap(({ kind, name }) => (kind === 'type' ? [`\`${name}\``] : [])).join(', ')),
  ])
}

/** Converts an introspection result like a schema. */
export function readIntrospection(schema: Loose): ApiDescription | NoDescription {
  let sdl: string
  try {
    // The library validates its input.
    sdl = printSchema(buildClientSchema({ __schema: schema } as unknown as IntrospectionQuery))
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const why = error.message.slice(0, 300)
    return rejectDescription('malformed', `The answer to the introspection is not valid: ${why}`)
  }
  return readSdl(sdl)
}

type RootKind = 'query' | 'mutation' | 'subscription'

type Types = {
  named: Map<string, TypeDefinitionNode>
  /** Fields of objects, interfaces and unions (none) by type name, including those of extensions. */
  fields: Map<string, FieldDefinitionNode[]>
  inputs: Map<string, InputValueDefinitionNode[]>
  /** Root types of operations, if the schema has them. */
  roots: Map<RootKind, string>
}

/** Collects the types of a possibly incomplete schema. The first of several definitions with one name wins. */
function collectTypes(definitions: readonly DefinitionNode[]): Types {
  const types: Types = { named: new Map(), fields: new Map(), inputs: new Map(), roots: new Map() }
  for (const each of definitions) {
    if ('operationTypes' in each) {
      for (const { operation, type } of each.operationTypes ?? []) types.roots.set(operation, type.name.value)
    }
    // Extensions can precede the extended type, or appear without it.
    if (each.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION || each.kind === Kind.INPUT_OBJECT_TYPE_EXTENSION)
      append(types.inputs, each.name.value, each.fields)
    else if ('fields' in each) append(types.fields, each.name.value, each.fields)
    else if (each.kind === Kind.UNION_TYPE_DEFINITION) append(types.fields, each.name.value)
    if (isTypeDefinitionNode(each) && !types.named.has(each.name.value)) types.named.set(each.name.value, each)
  }
  // Without a schema definition the default root names apply (GraphQL specification, section 3.3.1).
  if (definitions.some(({ kind }) => kind === Kind.SCHEMA_DEFINITION)) return types
  for (const kind of ['query', 'mutation', 'subscription'] as const) {
    const usual = kind.charAt(0).toUpperCase() + kind.slice(1)
    if (types.fields.has(usual)) types.roots.set(kind, usual)
  }
  return types
}

function append<T>(members: Map<string, T[]>, name: string, more: readonly T[] = []): void {
  const known = members.get(name) ?? []
  for (const each of more) known.push(each)
  members.set(name, known)
}

/** Returns the name inside list and non-null wrappers. */
function namedType(type: TypeNode): string {
  let inner = type
  while (inner.kind !== Kind.NAMED_TYPE) inner = inner.type
  return inner.name.value
}

/** Maximum number of requested fields per level, and object depth, as in a connection: `nodes { owner { login } }`. */
const MAX_FIELDS = 6
const MAX_DEPTH = 3
/** Maximum number of result fields listed per operation. The document of the type lists all. */
const MAX_RESULT_FIELDS = 40

function fieldDocument(types: Types, kind: RootKind, field: FieldDefinitionNode): ApiDocument {
  const name = field.name.value
  const args = field.arguments ?? []
  const results = fieldTable((types.fields.get(namedType(field.type)) ?? []).slice(0, MAX_RESULT_FIELDS))
  const markdown = joinParts([
    `# ${kind} ${name}`,
    fenced(signature(field), 'graphql'),
    deprecation(field.directives),
    embedText(field.description?.value ?? '', 1),
    section('Arguments', inputTable(args, 'Argument')),
    section('Returns', joinParts([`\`${print(field.type)}\``, results])),
    section('Sample request', fenced(sampleOperation(types, kind, field), 'graphql')),
  ])
  const subject = { kind: 'operation' as const, name: `${kind} ${name}` }
  return { subject, title: `${kind} ${name}`, markdown, pointer: null }
}

/** Renders a field as in the schema, without descriptions and directives. */
function signature({ name, type, arguments: given = [] }: FieldDefinitionNode): string {
  const args = given.map((each) => print({ ...withoutDescription(each), directives: [] }))
  const line = `${name.value}${inParentheses(args)}: ${print(type)}`
  return line.length <= 100 ? line : `${name.value}(\n${args.map((arg) => `  ${arg}`).join('\n')}\n): ${print(type)}`
}

function inParentheses(words: readonly string[]): string {
  return words.length === 0 ? '' : `(${words.join(', ')})`
}

function fieldTable(fields: readonly FieldDefinitionNode[]): string {
  const rows = fields.map((field) => {
    const args = inParentheses((field.arguments ?? []).map(({ name }) => name.value))
    return [`\`${field.name.value}${args}\``, `\`${print(field.type)}\``, about(field)]
  })
  return writeTable(['Field', 'Type', 'Description'], rows)
}

function inputTable(inputs: readonly InputValueDefinitionNode[], head: string): string {
  const rows = inputs.map((input) => {
    const { name, type, defaultValue } = input
    const usual = defaultValue ? `Default: \`${print(defaultValue)}\`.` : ''
    const words = [about(input), usual].filter(Boolean).join(' ')
    return [`\`${name.value}\``, `\`${print(type)}\``, isRequired(input) ? 'yes' : '', words]
  })
  return writeTable([head, 'Type', 'Required', 'Description'], rows)
}

function isRequired({ type, defaultValue }: InputValueDefinitionNode): boolean {
  return type.kind === Kind.NON_NULL_TYPE && !defaultValue
}

function about({ directives, description }: Pick<FieldDefinitionNode, 'directives' | 'description'>): string {
  return [deprecation(directives), cellText(description?.value ?? '')].filter(Boolean).join(' ')
}

function deprecation(directives: FieldDefinitionNode['directives']): string {
  const found = directives?.find(({ name }) => name.value === 'deprecated')
  if (!found) return ''
  const reason = found.arguments?.find(({ name }) => name.value === 'reason')?.value
  return reason?.kind === Kind.STRING ? `**Deprecated**: ${reason.value.replace(/\s+/g, ' ')}` : '**Deprecated.**'
}

/** Returns a valid sample operation, with required arguments as variables and the plain fields of the result. */
function sampleOperation(types: Types, kind: RootKind, field: FieldDefinitionNode): string {
  const required = (field.arguments ?? []).filter(isRequired)
  const variables = inParentheses(required.map(({ name, type }) => `$${name.value}: ${print(type)}`))
  const values = inParentheses(required.map(({ name }) => `${name.value}: $${name.value}`))
  const name = field.name.value
  const head = `${kind} ${name.charAt(0).toUpperCase()}${name.slice(1)}${variables}`
  return `${head} {\n  ${name}${values}${select(types, namedType(field.type), 2)}\n}`
}

/** Returns the selection set for a field of this type, or nothing for scalars. */
function select(types: Types, type: string, depth: number): string {
  const fields = types.fields.get(type)
  if (!fields) return ''
  const free = fields.filter((field) => !(field.arguments ?? []).some(isRequired))
  const { simple = [], deeper = [] } = Object.groupBy(free, (field) =>
    types.fields.has(namedType(field.type)) ? 'deeper' : 'simple',
  )
  const lines = simple.slice(0, MAX_FIELDS).map(({ name }) => name.value)
  if (lines.length < MAX_FIELDS && depth <= MAX_DEPTH) {
    for (const field of deeper.slice(0, 2))
      lines.push(field.name.value + select(types, namedType(field.type), depth + 1))
  }
  if (lines.length === 0) lines.push('__typename')
  const indent = '  '.repeat(depth)
  return ` {\n${lines.map((line) => indent + line).join('\n')}\n${indent.slice(2)}}`
}

function typeDocument(types: Types, type: TypeDefinitionNode): ApiDocument {
  const name = type.name.value
  const written = definition(types, type)
  const [word = ''] = written.split(' ', 1)
  const markdown = joinParts([
    `# ${name}`,
    `GraphQL ${word} \`${name}\`${relations(type)}.`,
    embedText(type.description?.value ?? '', 1),
    section('Fields', fieldTable(types.fields.get(name) ?? [])),
    section('Input fields', inputTable(types.inputs.get(name) ?? [], 'Field')),
    section('Values', values(type)),
    section('Definition', writeDefinition('graphql', written)),
  ])
  return { subject: { kind: 'type', name }, title: `${name} (${word})`, markdown, pointer: null }
}

function directiveDocument(directive: DirectiveDefinitionNode): ApiDocument {
  const name = `@${directive.name.value}`
  const places = directive.locations.map(({ value }) => value).join(', ')
  const markdown = joinParts([
    `# ${name}`,
    `GraphQL directive \`${name}\`${directive.repeatable ? ', repeatable' : ''}, on ${places}.`,
    embedText(directive.description?.value ?? '', 1),
    section('Arguments', inputTable(directive.arguments ?? [], 'Argument')),
  ])
  return { subject: { kind: 'directive', name }, title: `${name} (directive)`, markdown, pointer: null }
}

/** Renders the definition of a type with its extensions, and without descriptions, which the document has already. */
function definition(types: Types, { description: _, ...bare }: TypeDefinitionNode): string {
  const name = bare.name.value
  if (bare.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION)
    return print({ ...bare, fields: types.inputs.get(name)?.map(withoutDescription) })
  if ('fields' in bare) return print({ ...bare, fields: types.fields.get(name)?.map(withoutDescription) })
  if ('values' in bare) return print({ ...bare, values: bare.values?.map(withoutDescription) })
  return print(bare)
}

function withoutDescription<T extends { description?: unknown }>({ description: _, ...node }: T) {
  return node
}

function relations(type: TypeDefinitionNode): string {
  const list = (names: readonly NamedTypeNode[] = []) => names.map(({ name }) => `\`${name.value}\``).join(', ')
  if (type.kind === Kind.UNION_TYPE_DEFINITION) return ` of ${list(type.types)}`
  return 'interfaces' in type && type.interfaces?.length ? `, implements ${list(type.interfaces)}` : ''
}

function values(type: TypeDefinitionNode): string {
  if (type.kind !== Kind.ENUM_TYPE_DEFINITION) return ''
  const rows = (type.values ?? []).map((value) => [`\`${value.name.value}\``, about(value)])
  return writeTable(['Value', 'Description'], rows)
}
