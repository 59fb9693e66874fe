import { z } from 'zod'
import { ERROR_FIELDS } from '#error-fields.ts'
import { ERRORS, type ErrorCode } from '#errors.ts'
import { exampleOf } from './example-text.ts'
import type { Operation } from '#operation.ts'
import { type OperationId, operations } from '#operations.ts'
import { limitInWords } from '#rate-limit.ts'
import { type JsonSchema, code, fieldTable, table, variantsOf } from './reference-fields.ts'

/** The reference of the management interface in Markdown, generated from the contract alone. */
export function apiReference(): string {
  const all = Object.entries<Operation>(operations)
  return `${[
    '# API reference',
    INTRODUCTION,
    CALLERS,
    '## Operations',
    table(['Request', 'What it does'], all.map(contentsRow)),
    ...all.map(describeOperation),
    '## Errors',
    'An error is a JSON object. Its `error` is a sentence, or a code with a `message` in addition. Some errors have further fields.',
    table(['Status', '`error`', '`message`'], Object.entries(ERRORS).map(describeError)),
    '### Further fields of errors',
    fieldTable(schemaOf(z.object(ERROR_FIELDS).partial(), 'output')),
  ].join('\n\n')}\n`
}

const INTRODUCTION = `This page is generated from \`contract/\`. \`GET /openapi.json\` on a running service returns the same as an OpenAPI 3.1 document. [Tools](tools.md) describes what AI clients call over MCP. AI clients can also make most of these requests, as [tools of the account](account-endpoint.md).

Paths are relative to the address of the service. Requests and answers are JSON. Times are ISO 8601 in UTC, such as \`2026-03-01T09:00:00.000Z\`. Clients should ignore fields that they do not know.

The examples need two variables:

\`\`\`sh
export DOCENT_URL=http://127.0.0.1:8787
export DOCENT_API_KEY=dk_live_…   # printed by: docent admin key
\`\`\``

const CALLERS = `## Authentication

| Credential | Sent as | Allows |
| --- | --- | --- |
| API key, \`dk_live_…\` | \`Authorization: Bearer dk_live_…\` | all operations. A key that is scoped to servers sees only these; other servers appear not to exist. For operations on the whole account, it gets 403 \`key_scoped\` |
| session | cookie, set by \`POST /api/sessions\` | the same as a key for the whole account. Ignored if there is an \`Authorization\` header |
| client secret, \`dcs_…\` | \`Authorization: Bearer dcs_…\` | the [developer operations](widget.md#for-developers), whose paths are below \`/api/credentials\`, \`/api/attribution\` and \`/api/configurations\` |
| access token, \`dat_…\` | \`Authorization: Bearer dat_…\` | calls of a private server by MCP clients, and no operation on this page |

Requests with a session must come from a page of the service, unless they are GET requests. The header \`Sec-Fetch-Site\` or \`Origin\` shows this; browsers send it. Other requests get 403 \`origin_not_allowed\`.

Each operation lists its own errors. In addition:

- Every operation can answer 500 or 503.
- A member of an account has a role (viewer, editor or owner), and a key can have scopes (\`read\`, \`ask\`, \`write\`, \`publish\`). Each operation says what it needs. Without it, the answer is 403 \`not_permitted\`. A key made without scopes has all of them.
- A key that was made for an assistant needs an [approval](members.md#approvals) for each request that changes something and needs the scope \`publish\`. Without it, the answer is 403 \`approval_required\` with an \`approvalUrl\`.
- An operation with a body can answer 400 “The request body must be a JSON object”, 408 and 413.
- An unknown path gets 404. A known path with another method gets 405 and an \`Allow\` header.`

const AUTH: Record<Operation['auth'], string> = {
  none: 'Needs no credential.',
  key: 'Needs an API key or a session.',
  account: 'Needs an API key for the whole account, or a session.',
  person: 'Needs an API key for the whole account, or a session.',
  operator: 'Needs an API key for the whole account of the operator, or a session of it.',
  developer: 'Needs a session or the client secret.',
  client: 'Needs the client secret.',
}

const ANSWER: Record<NonNullable<Operation['produces']> | 'one', string> = {
  one: '### Answer',
  'application/x-ndjson': '### Answer: a stream of objects, one per line',
  'text/event-stream': '### Answer: server-sent events, each with one of these objects as data',
  table: '### Answer: an array of objects',
}

const titleOf = ({ method, path }: Operation): string => `${method} ${path}`

function contentsRow([, operation]: [string, Operation]): string[] {
  const title = titleOf(operation)
  // Anchors as GitHub makes them from headings.
  const anchor = title.toLowerCase().replaceAll(/[^\w -]/g, '')
  return [`[${code(title)}](#${anchor.replaceAll(' ', '-')})`, operation.summary]
}

function describeOperation([id, operation]: [string, Operation]): string {
  const { summary, description, aliases = [], rateLimit, onceByKey, errors } = operation
  const limit = rateLimit
    ? ` At most ${limitInWords(rateLimit)}. Requests that are refused after this check count too.`
    : ''
  const once = onceByKey
    ? ' With an `Idempotency-Key` header, a repeated request within 24 hours gets the first answer again.'
    : ''
  const also = aliases.map((alias) => ` ${code(`${alias.method} ${alias.path}`)} does the same.`).join('')
  const input = fieldTable(schemaOf(operation.input, 'input'))
  const output = variantsOf(schemaOf(operation.output, 'output')).map(fieldTable)
  return [
    `## ${titleOf(operation)}`,
    `${summary}. ${AUTH[operation.auth]}${needsOf(operation)}${limit}${once}${also}`,
    ...(description ? [description.replaceAll('\n', ' ')] : []),
    ...(input
      ? [operation.consumes ? '### Input: in the path and the query; the body is the file' : '### Input', input]
      : []),
    ...(output.length > 0 ? [ANSWER[operation.produces ?? 'one'], ...output] : []),
    '### Example',
    ...exampleOf(id as OperationId),
    `Errors: ${errors.map(nameError).join(', ') || 'none'}.`,
  ].join('\n\n')
}

const needsOf = ({ needs }: Operation): string =>
  needs ? ` Least role: ${needs[0]}. Scope of a key: ${code(needs[1])}.` : ''

/** The value of its `error` member, which is a code or a sentence. */
function nameError(name: ErrorCode): string {
  const row = ERRORS[name]
  if (!('sentence' in row)) return `${row.status} ${code(name)}`
  return `${row.status} “${row.sentence}${'goesOn' in row ? ' …' : ''}”`
}

type ErrorColumns = { status: number } & Record<string, unknown>

function describeError([name, row]: [string, ErrorColumns]): string[] {
  return 'sentence' in row
    ? [String(row.status), String(row['sentence']), '']
    : [String(row.status), code(name), String(row['message'])]
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema
}
