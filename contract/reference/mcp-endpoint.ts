import { ACCOUNT_ENDPOINT_RATE } from '#account-tool.ts'

const error = { type: 'object', required: ['error'], properties: { error: { type: 'string' } } }
const failure = (description: string) => ({ description, content: { 'application/json': { schema: error } } })
const message = {
  type: 'object',
  required: ['jsonrpc'],
  properties: {
    jsonrpc: { const: '2.0' },
    id: { type: ['string', 'integer', 'null'] },
    method: { type: 'string' },
    params: { type: 'object' },
    result: { type: 'object' },
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: { code: { type: 'integer' }, message: { type: 'string' }, data: { type: 'object' } },
    },
  },
}
const answer = { 'application/json': { schema: { oneOf: [message, { type: 'array', items: message }] } } }

const RETRY_AFTER = { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1 } }

/** Responses of every MCP endpoint. */
const common = {
  200: {
    description: 'The answer to a request; a stream if the client sent a progress token and the call reports progress',
    content: {
      ...answer,
      // Each event has one message as its data: the progress of the call, and at last its answer.
      'text/event-stream': { schema: message },
    },
  },
  202: { description: 'A notification was taken' },
  400: { description: 'No message of this protocol', content: answer },
  403: {
    description: 'The origin may not call from a browser, or the connection of the client may not call tools',
    content: { 'application/json': { schema: { anyOf: [error, message] } } },
  },
  408: failure('The body took too long to arrive'),
  413: failure('The body is too large'),
  429: { ...failure('Too many requests'), headers: { 'Retry-After': RETRY_AFTER } },
  503: { ...failure('Too many requests are under way'), headers: { 'Retry-After': RETRY_AFTER } },
}

const unauthorized = (description: string) => ({
  description,
  headers: { 'WWW-Authenticate': { schema: { type: 'string' } } },
  content: answer,
})

const notFound = (description: string) => ({
  description,
  content: { 'application/json': { schema: { anyOf: [error, message] } } },
})

/** `POST /api/mcp/{id}` for the OpenAPI document. It speaks MCP, so it is not in the list of operations. */
export const MCP_ENDPOINT = {
  operationId: 'mcp.message',
  tags: ['mcp'],
  summary: 'Send one JSON-RPC message to a server, as MCP clients do',
  description:
    'Open for a public server. A private one needs an access token on every request, which its owner made or a client got by OAuth. Failures of tools are reported in JSON-RPC, with status 200.',
  security: [{}, { accessToken: [] }],
  'x-rate-limit': { limit: 200, windowMs: 60_000 },
  parameters: [
    { name: 'id', in: 'path', required: true, description: 'Id or slug of the server', schema: { type: 'string' } },
  ],
  requestBody: { required: true, content: { 'application/json': { schema: message } } },
  responses: {
    ...common,
    401: unauthorized('A private server without a valid access token'),
    404: notFound('No active server with that id or slug, or a method that is not served (2026-07-28)'),
  },
} as const

/** `POST /api/headless/mcp` for the OpenAPI document. */
export const ACCOUNT_MCP_ENDPOINT = {
  operationId: 'mcp.account',
  tags: ['mcp'],
  summary: 'Send one JSON-RPC message to the endpoint whose tools manage the account, as MCP clients do',
  description:
    'Needs an API key on every request. Each tool makes one request of this interface. Its refusal is a tool result with `isError`, the HTTP status and the body.',
  security: [{ apiKey: [] }],
  'x-rate-limit': ACCOUNT_ENDPOINT_RATE,
  requestBody: { required: true, content: { 'application/json': { schema: message } } },
  responses: {
    ...common,
    401: unauthorized('No API key, or one that is not valid'),
    404: notFound('A method that is not served (2026-07-28)'),
  },
} as const
