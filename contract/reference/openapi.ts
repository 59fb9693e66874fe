import { z } from 'zod'
import { ERROR_FIELDS } from '#error-fields.ts'
import { ERRORS, type ErrorCode } from '#errors.ts'
import { ACCOUNT_ENDPOINT_PATH } from '#account-tool.ts'
import { ACCOUNT_MCP_ENDPOINT, MCP_ENDPOINT } from './mcp-endpoint.ts'
import { type Operation, type StreamForm, canNeedApproval } from '#operation.ts'
import { operations } from '#operations.ts'
import { takesBody } from '#takes-body.ts'

type Json = Record<string, unknown>

/** Version of the interface, not of the service: it changes only when clients have to. */
const INTERFACE_VERSION = '1.0.0'

/** Errors of all operations, and of all operations with a body, in addition to their own. */
const ALWAYS: readonly ErrorCode[] = ['internal', 'too_busy', 'store_unavailable']
const WITH_BODY: readonly ErrorCode[] = ['invalid_json', 'payload_too_large', 'request_timeout', 'chunks_too_small']
/** Errors of operations that accept a session, for pages of other sites. */
const WITH_SESSION: readonly ErrorCode[] = ['origin_not_allowed']

/**
 * The management interface as an OpenAPI 3.1 document, generated from the list of operations alone. `sdkUrl` is the
 * address of the SDK interface, if it has another one than the rest.
 */
export function openApiDocument({ sdkUrl = null }: { sdkUrl?: string | null } = {}): Json {
  const paths: Record<string, Json> = {}
  for (const [id, operation] of Object.entries<Operation>(operations)) {
    for (const [index, { method, path }] of [operation, ...(operation.aliases ?? [])].entries()) {
      const described = describeOperation(index === 0 ? id : `${id}.${method.toLowerCase()}`, operation, method)
      const servers = sdkUrl !== null && isOfSdk(operation) ? { servers: [{ url: sdkUrl }] } : {}
      paths[path] = { ...paths[path], ...servers, [method.toLowerCase()]: described }
    }
  }
  paths['/api/mcp/{id}'] = { ...paths['/api/mcp/{id}'], post: MCP_ENDPOINT }
  paths[ACCOUNT_ENDPOINT_PATH] = { post: ACCOUNT_MCP_ENDPOINT }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Docent',
      version: INTERFACE_VERSION,
      description: 'Turns documentation into live MCP servers.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of the account' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'docent_session',
          description:
            'The cookie that `POST /api/sessions` sets; on https its name is `__Host-docent_session`. Left out of account where there is an Authorization header. Anything but a GET has to come from a page of the service, as its `Sec-Fetch-Site` or `Origin` header tells.',
        },
        clientSecret: { type: 'http', scheme: 'bearer', description: 'The client secret of a developer' },
        accessToken: { type: 'http', scheme: 'bearer', description: 'An access token of a private server' },
      },
    },
  }
}

const isOfSdk = ({ auth, path }: Operation): boolean =>
  auth === 'developer' || auth === 'client' || path.startsWith('/api/embed/')

function describeOperation(operationId: string, operation: Operation, method: Operation['method']): Json {
  const { summary, description, auth, input, path, rateLimit, onceByKey } = operation
  const { properties = {}, required = [] } = schemaOf(input, 'input')
  const inPath = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name))
  const rest = Object.entries(properties).filter(([name]) => !inPath.has(name))
  const isQuery = method === 'GET' || operation.consumes !== undefined
  const parameters = [
    ...[...inPath].map((name) => parameter('path', name, properties[name] ?? { type: 'string' }, true)),
    ...(isQuery ? rest.map(([name, schema]) => parameter('query', name, schema, required.includes(name))) : []),
    ...(onceByKey ? [IDEMPOTENCY_KEY] : []),
  ]
  const needed = required.filter((name) => !inPath.has(name))
  const body = {
    type: 'object',
    properties: Object.fromEntries(rest),
    ...(needed.length > 0 ? { required: needed } : {}),
  }
  return {
    operationId,
    tags: [operationId.split('.')[0]],
    summary,
    ...(description ? { description: description.replaceAll('\n', ' ') } : {}),
    security: SECURITY[auth],
    ...(rateLimit ? { 'x-rate-limit': rateLimit } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(!isQuery && rest.length > 0
      ? { requestBody: { required: needed.length > 0, content: { 'application/json': { schema: body } } } }
      : {}),
    ...(operation.consumes ? { requestBody: { required: true, content: { [operation.consumes]: {} } } } : {}),
    responses: describeResponses(operation, [
      ...(takesBody(operation) ? WITH_BODY : []),
      ...(auth === 'none' || auth === 'client' ? [] : WITH_SESSION),
    ]),
  }
}

const SECURITY: Record<Operation['auth'], Record<string, never[]>[]> = {
  none: [{}, { apiKey: [] }],
  key: [{ apiKey: [] }, { session: [] }],
  account: [{ apiKey: [] }, { session: [] }],
  person: [{ apiKey: [] }, { session: [] }],
  operator: [{ apiKey: [] }, { session: [] }],
  developer: [{ clientSecret: [] }, { session: [] }],
  client: [{ clientSecret: [] }],
}

const IDEMPOTENCY_KEY = {
  ...parameter('header', 'Idempotency-Key', { type: 'string', minLength: 1, maxLength: 255 }, false),
  description: 'The same request sent again with the same key within 24 hours gets the first one’s answer',
}

function parameter(where: string, name: string, schema: Json, required: boolean): Json {
  const { description, ...rest } = schema
  return { name, in: where, required, ...(description === undefined ? {} : { description }), schema: rest }
}

function describeResponses(operation: Operation, more: readonly ErrorCode[]): Json {
  const { summary, output, errors, needs } = operation
  const permitted = needs ? (['not_permitted'] as const) : []
  const approved = canNeedApproval(operation) ? (['approval_required'] as const) : []
  const codes = [...new Set([...errors, ...permitted, ...approved, ...more, ...ALWAYS])]
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status)
  const failures = [...byStatus]
    .toSorted(([a], [b]) => a - b)
    .map(([status, same]) => [String(status), describeFailure(status, same)])
  return {
    200: { description: summary, content: contentOf(operation.produces, schemaOf(output, 'output')) },
    ...Object.fromEntries(failures),
  }
}

function contentOf(form: StreamForm | undefined, schema: Json): Json {
  if (form !== 'table') return { [form ?? 'application/json']: { schema } }
  return {
    'application/json': { schema: { type: 'array', items: schema } },
    'text/csv': { schema: { type: 'string' } },
    'application/x-ndjson': { schema },
  }
}

function describeFailure(status: number, codes: readonly ErrorCode[]): Json {
  const schemas = codes.map(errorSchema)
  const schema = schemas.length === 1 ? schemas[0] : { anyOf: schemas }
  const wait = { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1 } }
  return {
    description: codes.map((code) => textOf(code)).join(' · '),
    ...(status === 429 ? { headers: { 'Retry-After': wait } } : {}),
    content: { 'application/json': { schema } },
  }
}

function errorSchema(code: ErrorCode): Json {
  const row = ERRORS[code]
  const words =
    'sentence' in row ? { error: sentenceSchema(row) } : { error: { const: code }, message: { type: 'string' } }
  const names = 'fields' in row ? row.fields : []
  const others = 'mayHave' in row ? row.mayHave : []
  const fields = Object.fromEntries([...names, ...others].map((name) => [name, schemaOf(ERROR_FIELDS[name], 'output')]))
  return { type: 'object', required: [...Object.keys(words), ...names], properties: { ...words, ...fields } }
}

function sentenceSchema({ sentence, goesOn }: { sentence: string; goesOn?: true }): Json {
  if (!goesOn) return { const: sentence }
  return { type: 'string', pattern: `^${sentence.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}` }
}

function textOf(code: ErrorCode): string {
  const row = ERRORS[code]
  return 'sentence' in row ? row.sentence : row.message
}

type ObjectSchema = Json & { properties?: Record<string, Json>; required?: string[] }

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): ObjectSchema {
  const json = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => simplify(jsonSchema),
  })
  const { $schema: _, ...rest } = json
  return rest as ObjectSchema
}

/** Removes patterns implied by a format, and the bounds of safe integers. */
function simplify(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.format !== undefined) delete schema.pattern
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
}
