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

/** `POST /api/mcp/{id}` for the OpenAPI document. It speaks MCP, so it is not in the list of operations. */
export const MCP_ENDPOINT = {
  operationId: 'mcp.message',
  tags: ['mcp'],
  summary: 'Send one JSON-RPC message to a server, as MCP clients do',
  description:
    'Open for a public server. A private one needs an access token on every request. Failures of tools are reported in JSON-RPC, with status 200.',
  security: [{}, { accessToken: [] }],
  'x-rate-limit': { limit: 200, windowMs: 60_000 },
  parameters: [
    { name: 'id', in: 'path', required: true, description: 'Id or slug of the server', schema: { type: 'string' } },
  ],
  requestBody: { required: true, content: { 'application/json': { schema: message } } },
  responses: {
    200: { description: 'The answer to a request', content: answer },
    202: { description: 'A notification was taken' },
    400: { description: 'No message of this protocol', content: answer },
    401: {
      description: 'A private server without a valid access token',
      headers: { 'WWW-Authenticate': { schema: { type: 'string' } } },
      content: answer,
    },
    403: failure('The origin may not call from a browser'),
    404: {
      description: 'No active server with that id or slug, or a method that is not served (2026-07-28)',
      content: { 'application/json': { schema: { anyOf: [error, message] } } },
    },
    408: failure('The body took too long to arrive'),
    413: failure('The body is too large'),
    429: {
      ...failure('Too many requests'),
      headers: { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1 } } },
    },
    503: {
      ...failure('Too many requests are under way'),
      headers: { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1 } } },
    },
  },
} as const
