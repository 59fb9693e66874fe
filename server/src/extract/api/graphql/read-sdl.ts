import {
  type DefinitionNode,
  GraphQLError,
  Kind,
  parse,
  buildClientSchema,
  type IntrospectionQuery,
  printSchema,
} from 'graphql'
import {
  type ApiDescription,
  type ApiDocument,
  joinParts,
  type NoDescription,
  rejectDescription,
  section,
} from '../api-document.ts'
import { fieldDocument, collectTypes, type Types, directiveDocument, typeDocument } from './sdl-documents.ts'
import type { Loose } from '../parse-data.ts'

/** Upper bound for tokens. The largest public schemas have about 300,000. */
const MAX_TOKENS = 2_000_000

const KEYWORD = /^[ \t]*(?:extend\s+)?(?:schema|type|interface|union|enum|input|scalar|directive)\b\s*[@{\w]/m

/** Returns true if the text is GraphQL SDL rather than YAML or JSON. */
export function looksLikeSdl(text: string): boolean {
  if (/^\s*\{\s*"/.test(text) || /^[ \t]*["']?(?:openapi|swagger|asyncapi)["']?\s*:/m.test(text)) return false
  return KEYWORD.test(text.slice(0, 100_000)) && text.includes('{')
}

/**
 * Converts a schema to an overview and one document per query, mutation, subscription, type and directive. Types may be
 * missing, so that part of a schema is readable.
 */
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
  const named = [...types.named.values()].filter(({ name }) => ![...types.roots.values()].includes(name.value))
  const directives = definitions.filter((each) => each.kind === Kind.DIRECTIVE_DEFINITION)
  const documents = [
    ...operations,
    ...named.map((type) => typeDocument(types, type)),
    ...directives.map((directive) => directiveDocument(directive)),
  ]
  if (documents.length === 0) return rejectDescription('not_a_description', 'The GraphQL document defines no types.')
  const overview = overviewOf(types, documents)
  return {
    kind: 'description',
    format: 'GraphQL',
    title: overview.title,
    documents: [overview, ...documents],
    problems: [],
  }
}

function overviewOf({ description }: Types, documents: ApiDocument[]): ApiDocument {
  const list = (prefix: string) =>
    documents.flatMap(({ subject }) => (subject?.name.startsWith(prefix) ? [`- \`${subject.name}\``] : [])).join('\n')
  const types = documents.flatMap(({ subject }) => (subject?.kind === 'type' ? [`\`${subject.name}\``] : []))
  const markdown = joinParts([
    '# GraphQL schema',
    description,
    section('Queries', list('query ')),
    section('Mutations', list('mutation ')),
    section('Subscriptions', list('subscription ')),
    section('Types', types.join(', ')),
  ])
  return { subject: null, title: 'GraphQL schema', markdown, pointer: null }
}

/** Converts an introspection result to SDL. */
export function introspectionToSdl(schema: Loose): string | NoDescription {
  try {
    // The library validates its input.
    return printSchema(buildClientSchema({ __schema: schema } as unknown as IntrospectionQuery))
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return rejectDescription(
      'malformed',
      `The answer to the introspection is not valid: ${error.message.slice(0, 300)}`,
    )
  }
}
