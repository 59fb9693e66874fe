/**
 * Every error a caller can meet, once. A row with a `sentence` answers `{error: sentence}`; one with a `message`
 * answers `{error: <code>, message}`. Either may carry further fields. The words are part of the contract.
 */
export const ERRORS = {
  // 400
  invalid_json: { status: 400, sentence: 'The request body must be a JSON object' },
  invalid_input: { status: 400, message: 'A field of the request has the wrong form' },
  name_required: { status: 400, sentence: 'Name is required' },
  source_required: { status: 400, sentence: 'At least 1 source is required' },
  tool_count: { status: 400, sentence: 'Select between 3 and 10 tools' },
  too_few_valid_tools: { status: 400, sentence: 'At least 3 valid tools required' },
  no_valid_source_url: { status: 400, sentence: 'At least one valid source URL is required' },
  private_source_urls: {
    status: 400,
    sentence: 'These URLs point to private or internal network addresses and cannot be indexed:',
  },
  unsupported_auth_header: {
    status: 400,
    sentence: 'Unsupported authentication header. Use Authorization or X-API-Key.',
  },
  only_mcp_credentials: { status: 400, sentence: 'Only MCP sources can carry credentials.' },
  server_id_required: { status: 400, sentence: 'serverId is required' },
  // 401
  unauthorized: {
    status: 401,
    message: 'This operation needs a valid API key. Send it as "Authorization: Bearer <API_KEY>".',
  },
  // 402
  source_limit: { status: 402, message: 'These are more sources than the plan includes on one server.' },
  // 403
  key_scoped: { status: 403, message: 'This key is scoped to specific servers and cannot do this for the account.' },
  enterprise_limit: { status: 403, message: 'The account has reached the number of servers that its plan includes.' },
  origin_not_allowed: { status: 403, message: 'Requests from this origin are not allowed.' },
  // 404
  not_found: { status: 404, sentence: 'Not found' },
  server_not_found: { status: 404, sentence: 'Server not found' },
  source_not_found: { status: 404, sentence: 'Source not found' },
  // 405
  method_not_allowed: { status: 405, sentence: 'Method not allowed' },
  // 413
  payload_too_large: { status: 413, sentence: 'The request body is too large' },
  // 429
  too_many_requests: { status: 429, sentence: 'Too many requests. Try again later.' },
  // 5xx
  internal: { status: 500, sentence: 'Something went wrong on our side. The error has been logged.' },
  credentials_unavailable: {
    status: 503,
    message: 'Credentials cannot be stored right now, because the encryption key of this instance is missing or wrong.',
  },
} as const satisfies Record<string, ErrorRow>

type ErrorRow = { status: number } & ({ sentence: string } | { message: string })

export type ErrorCode = keyof typeof ERRORS
