import type { ErrorRow } from './error-fields.ts'

/**
 * Every error of the interface. A row with a `sentence` is answered as `{error: sentence}`; one with a `message` as
 * `{error: <code>, message}`. Either may have further fields. The words are part of the contract.
 */
export const ERRORS = {
  // 400
  malformed_request: { status: 400, sentence: 'The request is not valid HTTP' },
  chunks_too_small: { status: 400, sentence: 'The request body came in too many small chunks' },
  invalid_json: { status: 400, sentence: 'The request body must be a JSON object' },
  invalid_input: { status: 400, message: 'A field of the request has the wrong form' },
  name_required: { status: 400, sentence: 'Name is required' },
  source_required: { status: 400, sentence: 'At least 1 source is required' },
  tool_count: { status: 400, sentence: 'Select between 3 and 10 tools' },
  too_few_valid_tools: { status: 400, sentence: 'At least 3 valid tools required', mayHave: ['message'] },
  no_valid_source_url: { status: 400, sentence: 'At least one valid source URL is required', mayHave: ['message'] },
  private_source_urls: {
    status: 400,
    sentence: 'These URLs point to private or internal network addresses and cannot be indexed:',
    goesOn: true,
    mayHave: ['message'],
  },
  unsupported_auth_header: {
    status: 400,
    sentence: 'Unsupported authentication header. Use Authorization or X-API-Key.',
  },
  only_mcp_credentials: { status: 400, sentence: 'Only MCP sources can carry credentials.' },
  valid_url_required: { status: 400, sentence: 'Valid URL required', mayHave: ['message'] },
  private_source_url: {
    status: 400,
    sentence: 'That URL points to a private or internal network address which cannot be indexed.',
    mayHave: ['message'],
  },
  webhook_url_private: {
    status: 400,
    message:
      'That URL points to a private or internal network address, or to this service itself, which cannot receive events.',
  },
  source_id_required: { status: 400, sentence: 'sourceId is required' },
  source_id_or_url_required: { status: 400, sentence: 'sourceId or url required' },
  credential_required: { status: 400, sentence: 'Provide a credential, or remove: true.' },
  tools_required: { status: 400, sentence: 'Provide `tools`, or `add` and/or `remove`.' },
  unknown_tool: { status: 400, sentence: 'Unknown tool name', fields: ['unknown', 'validTools'], mayHave: ['message'] },
  too_few_tools: { status: 400, sentence: 'An MCP server needs at least 3 tools.', goesOn: true, fields: ['tools'] },
  too_many_tools: { status: 400, sentence: 'An MCP server can expose at most 10 tools.' },
  upload_empty: { status: 400, message: 'Nothing was uploaded: the body of the request is empty.' },
  server_file_damaged: { status: 400, message: 'The file is not a complete file of a server.' },
  custom_tool_words: {
    status: 400,
    message: 'The name and the description are read by models, so they cannot contain orders to them or addresses.',
  },
  nothing_to_update: { status: 400, sentence: 'Nothing to update.' },
  idempotency_key_malformed: { status: 400, message: 'An Idempotency-Key has 1 to 255 printable ASCII characters.' },
  server_id_required: { status: 400, sentence: 'serverId is required' },
  prompt_too_short: {
    status: 400,
    message: 'Describe the tool in at least 20 characters, as the `prompt` of a JSON object.',
  },
  prompt_too_long: { status: 400, message: 'Describe the tool in at most 1000 characters.' },
  rule_server_required: { status: 400, sentence: 'serverId is required.' },
  rule_too_short: { status: 400, sentence: 'Describe the rule in at least 20 characters.' },
  rule_too_long: { status: 400, sentence: 'Keep the rule under 600 characters.' },
  rule_out_of_scope: {
    status: 400,
    sentence:
      'A retrieval rule can say which sources to prefer and how to use them. It cannot change how answers are grounded, cited, or how uncertainty is reported.',
    fields: ['removed'],
  },
  rule_needs_source: { status: 400, sentence: 'Add a source before writing a retrieval rule.' },
  link_attempt_unknown: {
    status: 400,
    message: 'This link was not begun here, was used already, or took too long. Begin it again.',
  },
  password_too_short: { status: 400, message: 'A password needs at least 10 characters.' },
  password_common: {
    status: 400,
    message: 'This password is among the first that are guessed. Choose another one, such as four words.',
  },
  session_id_required: { status: 400, sentence: 'Provide a sessionId, or all: true.' },
  confirmation_required: {
    status: 400,
    message: 'Nothing was deleted, because the deletion is not confirmed. Call again with "confirm": true.',
  },
  // 401
  unauthorized: {
    status: 401,
    message: 'This operation needs a valid API key. Send it as "Authorization: Bearer <API_KEY>".',
  },
  mcp_endpoint: {
    status: 401,
    message:
      'This is the address of an MCP server. Add it to an MCP client, such as Claude Code; a browser cannot use it. With an API key of its account as "Authorization: Bearer <API_KEY>", it describes the server.',
    fields: ['docsUrl'],
  },
  api_key_required: {
    status: 401,
    message: 'This endpoint needs an API key of the account. Send it as "Authorization: Bearer <API_KEY>".',
  },
  api_key_invalid: {
    status: 401,
    message:
      'The API key is not valid: it is mistyped or revoked, or an access token of a server, which does not work here. Send a current API key as "Authorization: Bearer <API_KEY>".',
  },
  push_signature_invalid: {
    status: 401,
    message:
      'The signature of this push is missing or wrong. Give the sender the secret of the address: as the secret of its webhook, or in GitLab as the secret token.',
  },
  sign_in_failed: { status: 401, message: 'The email address or the password is wrong.' },
  developer_unauthorized: {
    status: 401,
    message:
      'This operation needs a session, or the client secret. Send that as "Authorization: Bearer <CLIENT_SECRET>".',
  },
  client_unauthorized: {
    status: 401,
    message:
      'The clientId or the client secret is missing or not valid. Send the secret as "Authorization: Bearer <CLIENT_SECRET>".',
  },
  attribution_token_invalid: {
    status: 401,
    message: 'The attribution token is not valid, has expired, or was used before. Mint a new one.',
  },
  embed_session_ended: { status: 401, message: 'The session of the widget has ended. Open a new one.' },
  // 402
  source_limit: {
    status: 402,
    message: 'These are more sources than the plan includes on one server.',
    fields: ['limit', 'purchaseUrl', 'upgradeUrl'],
  },
  source_limit_reached: {
    status: 402,
    message: 'The server has as many sources as the plan includes. Buy one more, or move to a larger plan.',
    fields: ['limit', 'purchaseUrl', 'upgradeUrl', 'used', 'paidCredits', 'canUpgrade'],
  },
  source_credit_required: {
    status: 402,
    message: 'The server has used up the sources that were bought for it. Buy one more, or move to a larger plan.',
    fields: ['limit', 'purchaseUrl', 'upgradeUrl', 'used', 'paidCredits', 'canUpgrade'],
  },
  source_size_limit_reached: {
    status: 402,
    message: 'The sources of this server hold as much text as the plan includes. Remove one, or move to a larger plan.',
    fields: ['limit', 'purchaseUrl', 'upgradeUrl', 'used', 'paidCredits', 'canUpgrade'],
  },
  // 403
  key_scoped: { status: 403, message: 'This key is scoped to specific servers and cannot do this for the account.' },
  enterprise_limit: {
    status: 403,
    message: 'The account has reached the number of servers that its plan includes.',
    fields: ['limit', 'upgradeUrl'],
  },
  request_log_locked: {
    status: 403,
    message: 'The request log is part of the core analytics tier and of the trial.',
    fields: ['upgradeUrl'],
  },
  not_permitted: {
    status: 403,
    message: 'This needs another role in the account, or a key with another scope.',
    mayHave: ['requiredRole', 'requiredScope'],
  },
  approval_required: {
    status: 403,
    message:
      'An owner of the account has to approve this request. Show the user the approvalUrl, and repeat the same request once it is approved there.',
    fields: ['approvalUrl'],
  },
  operator_only: { status: 403, message: 'Only the operator of this instance can do this.' },
  browser_not_allowed: {
    status: 403,
    message: 'Attribution tokens are minted by a backend. This request has an Origin header, so it is from a browser.',
  },
  embed_tool_not_enabled: { status: 403, message: 'The configuration of this widget does not have this tool.' },
  password_sign_in_off: {
    status: 403,
    message: 'This instance takes no passwords. Sign in with one of the providers that its sign-in page offers.',
  },
  sign_ups_off: { status: 403, message: 'This instance takes no new accounts. Ask its operator for one.' },
  password_wrong: { status: 403, message: 'The current password is wrong.' },
  setup_link_unknown: {
    status: 403,
    message: 'This setup link has expired. Print a new one on the machine of the service: docent setup-link',
  },
  origin_not_allowed: { status: 403, message: 'Requests from this origin are not allowed.' },
  // 404
  not_found: { status: 404, sentence: 'Not found' },
  server_not_found: { status: 404, sentence: 'Server not found' },
  source_not_found: { status: 404, sentence: 'Source not found' },
  page_not_found: { status: 404, sentence: 'Page not found' },
  access_token_not_found: { status: 404, sentence: 'Access token not found' },
  connection_not_found: { status: 404, message: 'There is no such connection in this account.' },
  oauth_client_not_found: { status: 404, message: 'There is no such OAuth client in this account.' },
  api_key_not_found: { status: 404, sentence: 'API key not found' },
  approval_not_found: {
    status: 404,
    message: 'There is no such request: it was approved, refused or made already, or has expired.',
  },
  member_not_found: { status: 404, message: 'There is no such member in this account.' },
  invitation_not_found: {
    status: 404,
    message: 'This invitation has been used or withdrawn, or has expired. Ask for another one.',
  },
  session_not_found: { status: 404, sentence: 'Session not found' },
  push_address_not_found: { status: 404, message: 'There is no such address for pushes. It may have been replaced.' },
  site_access_not_found: { status: 404, message: 'There is no such site access in this account.' },
  code_host_not_found: { status: 404, sentence: 'Code host not found' },
  custom_tool_not_found: { status: 404, sentence: 'Custom tool not found' },
  call_not_found: { status: 404, sentence: 'Call not found' },
  webhook_not_found: { status: 404, sentence: 'Webhook not found' },
  delivery_not_found: { status: 404, sentence: 'Delivery not found' },
  purchase_not_found: { status: 404, sentence: 'Purchase not found' },
  job_not_found: { status: 404, sentence: 'Failed job not found' },
  account_not_found: { status: 404, sentence: 'Account not found' },
  configuration_not_found: { status: 404, sentence: 'Configuration not found' },
  rule_not_found: { status: 404, sentence: 'Rule not found.' },
  rule_server_not_found: { status: 404, sentence: 'Server not found.' },
  rule_source_not_found: { status: 404, sentence: 'Source not found on this server.' },
  pin_not_found: { status: 404, message: 'There is no such pin on this server.' },
  // 405, 408
  method_not_allowed: { status: 405, sentence: 'Method not allowed' },
  request_timeout: { status: 408, sentence: 'The request took too long to arrive' },
  // 409
  private_source_present: {
    status: 409,
    message:
      'A private repository or an MCP source with a credential keeps this server private. Disconnect that source first, which also deletes everything indexed from it.',
  },
  last_owner: {
    status: 409,
    message: 'An account needs an owner. Make another member an owner first.',
  },
  account_is_operator: { status: 409, message: 'The account of the operator cannot be switched off.' },
  member_exists: { status: 409, message: 'This person is a member of the account already.' },
  member_limit: {
    status: 409,
    message: 'An account can have at most 200 members and open invitations. Remove one first.',
    fields: ['limit'],
  },
  email_taken: { status: 409, message: 'There is an account with this email address already.' },
  webhook_limit: {
    status: 409,
    message: 'An account can have at most 10 webhooks. Delete one first.',
    fields: ['limit'],
  },
  delivery_under_way: {
    status: 409,
    message: 'This delivery is being sent at the moment. Its result is in the log soon.',
  },
  domain_required: {
    status: 409,
    message:
      'A registry lists servers under a domain, and the address of this instance has none. Its operator can set DOCENT_PUBLIC_URL to an address with a domain.',
  },
  source_exists: { status: 409, sentence: 'Source already exists' },
  source_is_indexing: {
    status: 409,
    message: 'The source is being indexed, or waits for it. Try again when that has ended.',
  },
  pages_read_together: {
    status: 409,
    message: 'The pages of this source are always read together. Index the source again, or remove it.',
  },
  page_has_no_pattern: {
    status: 409,
    message: 'No pattern leaves out this page alone: its path has more than 199 characters, or an asterisk.',
  },
  server_limit: {
    status: 409,
    message: 'The account has as many servers as its plan includes. Delete one, or move to a larger plan.',
    fields: ['limit', 'upgradeUrl'],
  },
  token_limit: {
    status: 409,
    message: 'A server can have at most 10 access tokens. Revoke one first.',
    fields: ['limit'],
  },
  oauth_client_limit: {
    status: 409,
    message: 'An account can have at most 20 OAuth clients. Delete one first.',
    fields: ['limit'],
  },
  site_access_limit: {
    status: 409,
    message: 'An account can have at most 100 site accesses. Remove one first.',
    fields: ['limit'],
  },
  key_limit: { status: 409, message: 'An account can have at most 100 API keys. Revoke one first.', fields: ['limit'] },
  backup_running: { status: 409, message: 'A backup is being written already. Wait until it is complete.' },
  configuration_limit: {
    status: 409,
    message: 'A developer can have at most 200 configurations. Change one of them instead.',
    fields: ['limit'],
  },
  purchase_limit: {
    status: 409,
    message: 'An account can have at most 20 open orders. Withdraw one first.',
    fields: ['limit'],
  },
  plan_is_current: { status: 409, message: 'The account is on this plan already.' },
  plan_requested: {
    status: 409,
    message: 'There is an open order of a plan already. Withdraw it first to order another plan.',
  },
  purchase_settled: { status: 409, message: 'This order has been granted, refused or withdrawn already.' },
  purchase_server_gone: {
    status: 409,
    message: 'The server of this order has been deleted. Refuse the order instead.',
  },
  embed_token_missing: {
    status: 403,
    message:
      'The sources of this widget are private. They answer only on a page that gives the widget an attribution token.',
  },
  embed_without_sources: {
    status: 409,
    message: 'This widget has no source to answer from. Its owner can choose one in the configuration.',
  },
  custom_tool_not_failed: {
    status: 409,
    message: 'Only a tool whose build has failed, and that was built from a request, can be built again.',
  },
  custom_tool_not_ready: { status: 409, message: 'Only a tool that is ready can be changed.' },
  custom_tool_limit: {
    status: 409,
    message: 'The account has as many custom tools as its plan includes. Delete one first.',
    fields: ['limit'],
  },
  rule_limit: {
    status: 409,
    sentence: 'This server has as many rules as it can have. Delete one first.',
    fields: ['limit'],
  },
  pin_limit: {
    status: 409,
    message: 'This server has as many pins as it can have. Delete one first.',
    fields: ['limit'],
  },
  // 413
  payload_too_large: { status: 413, sentence: 'The request body is too large' },
  // 422
  auth_required: {
    status: 422,
    message: 'There is no such repository, or it is private. Link an account that can read it, then try again.',
    fields: ['owner', 'repo', 'hasGithubLink', 'isPrivate'],
    quotes: true,
  },
  not_found_or_no_access: {
    status: 422,
    message: 'There is no such repository, or the linked account cannot read it.',
    fields: ['owner', 'repo', 'hasGithubLink', 'isPrivate'],
    quotes: true,
  },
  repo_access_failed: {
    status: 422,
    message: 'The code host could not be asked about this repository.',
    fields: ['owner', 'repo', 'hasGithubLink', 'isPrivate'],
    quotes: true,
  },
  credential_rejected: { status: 422, message: 'The credential was refused, so it has not been saved.' },
  host_unavailable: {
    status: 422,
    message: 'The host could not be asked, so the credential could not be tested. It has not been saved.',
  },
  rule_not_compiled: { status: 422, sentence: 'Could not compile the rule.', mayHave: ['message'], quotes: true },
  pin_section_not_found: {
    status: 422,
    message: 'No indexed page of this server has this section. Give the address that a result of search_docs has.',
  },
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key was sent before with another request. Use a new one for each new request.',
  },
  // 429
  too_many_requests: {
    status: 429,
    sentence: 'Too many requests.',
    goesOn: true,
    fields: ['retryAfterSeconds'],
    mayHave: ['limit'],
  },
  stream_limit: {
    status: 429,
    message: 'The account has as many event streams open as it can have. Close one first.',
    fields: ['limit', 'retryAfterSeconds'],
  },
  // 431
  headers_too_large: { status: 431, sentence: 'The address or the headers of the request are too long' },
  // 5xx
  internal: { status: 500, sentence: 'Something went wrong on our side. The error has been logged.' },
  widget_not_built: {
    status: 503,
    message: 'The widget has not been built in this installation. Run "node scripts/build.mjs" in its folder.',
  },
  too_busy: {
    status: 503,
    sentence: 'Too many requests are under way. Try again in a moment.',
    mayHave: ['retryAfterSeconds'],
  },
  store_unavailable: {
    status: 503,
    message: 'The database cannot be reached right now. Try again in a few seconds.',
    mayHave: ['retryAfterSeconds'],
  },
  not_configured: { status: 503, message: 'Custom tools cannot be built on this instance.' },
  link_not_configured: {
    status: 503,
    message: 'This instance has no app at that code host. Link the account by a personal access token.',
  },
  rules_unavailable: { status: 503, message: 'Retrieval rules cannot be written on this instance.' },
  signing_unavailable: {
    status: 503,
    message:
      'Attribution tokens cannot be signed right now, because the encryption key of this instance is missing or wrong.',
  },
  credentials_unavailable: {
    status: 503,
    message: 'Credentials cannot be stored right now, because the encryption key of this instance is missing or wrong.',
  },
} as const satisfies Record<string, ErrorRow>

export type ErrorCode = keyof typeof ERRORS
