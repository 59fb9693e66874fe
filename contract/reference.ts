import { z } from 'zod'
import { type Bounded, boundsOf } from './bounds.ts'
import { ERRORS, type ErrorCode } from './errors.ts'
import type { Operation } from './operation.ts'
import { operations } from './operations.ts'
import { BUILT_IN_TOOLS } from './tools.ts'

type JsonSchema = Bounded & {
  description?: string
  default?: unknown
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
}

/** The reference of the management interface in Markdown, generated from the contract alone. */
export function apiReference(): string {
  return `${[
    '# API reference',
    'Made from `contract/`; a test holds it to that. All paths are relative to the address of the service. Requests and answers are JSON.',
    ...CALLERS,
    ...Object.values<Operation>(operations).map(describeOperation),
    '## Tools of a server',
    'What a hosted server can offer its clients at `POST /api/mcp/{id}`, over MCP.',
    table(
      ['Tool', 'What it is for'],
      BUILT_IN_TOOLS.map(({ name, description }) => [code(name), description]),
    ),
    '## Errors',
    'Every error is JSON with `error`: a sentence, or a code with a `message` beside it. Some carry further fields.',
    table(['Status', '`error`', '`message`'], Object.entries(ERRORS).map(describeError)),
  ].join('\n\n')}\n`
}

const CALLERS = [
  '## Who may call',
  'An **API key** is sent as `Authorization: Bearer dk_live_…`. An account-wide key may do everything. One that is held to servers sees those alone; everything else is answered as if it did not exist, and what concerns the whole account with 403 `key_scoped`.',
  'A **session** is a browser that has signed in with `POST /api/sessions`. Its cookie stands in for an account-wide key, where there is no `Authorization` header. Pages of other sites are refused with 403 `origin_not_allowed`: anything but a GET has to say, in `Sec-Fetch-Site` or `Origin`, that it comes from a page of this service. Browsers do so by themselves.',
  'An **access token**, `dat_…`, opens a private server to MCP clients, and nothing of what is described here.',
  'Beside the errors that are named with each operation, any can answer 500, and any with a body 400 “The request body must be a JSON object” and 413. An unknown path is answered with 404, a method that a path does not have with 405 and `Allow`.',
]

const AUTH: Record<Operation['auth'], string> = {
  none: 'No credentials are needed.',
  key: 'Needs an API key or a session.',
  account: 'Needs an API key for the whole account or a session.',
}

const ANSWER: Record<NonNullable<Operation['produces']> | 'one', string> = {
  one: '### Answer',
  'application/x-ndjson': '### Answer: objects, one a line',
  'text/event-stream': '### Answer: server-sent events, each with this as its data',
  table: '### Answer: rows',
}

function describeOperation({ method, path, aliases = [], summary, description, ...rest }: Operation): string {
  const limit = rest.rateLimit
    ? ` At most ${rest.rateLimit.limit} requests in ${span(rest.rateLimit.windowMs)}${rest.onceByKey ? ', refused ones not counted' : ''}.`
    : ''
  const once = rest.onceByKey ? ' Honours `Idempotency-Key`.' : ''
  const also = aliases.map((alias) => ` The same as ${code(`${alias.method} ${alias.path}`)}.`).join('')
  const input = rowsOf(z.toJSONSchema(rest.input, { io: 'input', unrepresentable: 'any' }) as JsonSchema)
  const output = rowsOf(z.toJSONSchema(rest.output, { io: 'output', unrepresentable: 'any' }) as JsonSchema)
  return [
    `## ${method} ${path}`,
    `${summary}. ${AUTH[rest.auth]}${limit}${once}${also}`,
    ...(description ? [description.replaceAll('\n', ' ')] : []),
    ...(input.length > 0
      ? [
          rest.consumes ? '### Input, in the query; the body is the bytes' : '### Input',
          table(['Field', 'Type', 'About'], input),
        ]
      : []),
    ...(output.length > 0 ? [ANSWER[rest.produces ?? 'one'], table(['Field', 'Type', 'About'], output)] : []),
    `Errors: ${rest.errors.map(nameError).join(', ') || 'none'}.`,
  ].join('\n\n')
}

/** The value of its `error` member, which is a code or a sentence. */
function nameError(name: ErrorCode): string {
  const row = ERRORS[name]
  if (!('sentence' in row)) return `${row.status} ${code(name)}`
  return `${row.status} “${row.sentence}${'goesOn' in row ? ' …' : ''}”`
}

/** All fields of a schema with their paths: `sources[].url`. */
function rowsOf(schema: JsonSchema, prefix = ''): string[][] {
  const inner = (schema.anyOf ?? schema.oneOf)?.find((one) => one.type !== 'null') ?? schema
  if (inner.items) return rowsOf(inner.items, `${prefix}[]`)
  return Object.entries(inner.properties ?? {}).flatMap(([name, field]) => {
    const way = prefix ? `${prefix}.${name}` : name
    const needed = inner.required?.includes(name) ? '' : ', optional'
    return [[code(way), typeOf(field) + needed, aboutOf(field)], ...rowsOf(field, way)]
  })
}

function typeOf(schema: JsonSchema): string {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return choices.map(typeOf).join(' or ')
  if (schema.const !== undefined) return code(JSON.stringify(schema.const))
  if (schema.enum) return `one of ${schema.enum.map((one) => code(String(one))).join(', ')}`
  if (schema.items) return `array of ${typeOf(schema.items)}`
  return [schema.type ?? 'any'].flat().join(' or ')
}

function aboutOf(schema: JsonSchema): string {
  const { description = '', default: value } = schema
  const inner = (schema.anyOf ?? schema.oneOf)?.find((one) => one.type !== 'null') ?? schema
  const bounds = capital(boundsOf(inner))
  const given = value === undefined ? '' : `Default: ${code(JSON.stringify(value))}`
  return [description, bounds, given].filter(Boolean).join('. ')
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function describeError([name, row]: [string, { status: number } & Record<string, unknown>]): string[] {
  return 'sentence' in row
    ? [String(row.status), String(row['sentence']), '']
    : [String(row.status), code(name), String(row['message'])]
}

function span(ms: number): string {
  return ms % 3_600_000 === 0 ? (ms === 3_600_000 ? 'an hour' : `${ms / 3_600_000} hours`) : `${ms / 60_000} minutes`
}

const code = (text: string): string => `\`${text}\``

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
