/** Error codes of RFC 6749, 7591 and 8707, each with the status of its answer. */
const STATUSES = {
  invalid_request: 400,
  invalid_grant: 400,
  invalid_scope: 400,
  invalid_target: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  invalid_client: 401,
  invalid_client_metadata: 400,
  invalid_redirect_uri: 400,
  access_denied: 403,
  temporarily_unavailable: 503,
} as const

export type OAuthErrorCode = keyof typeof STATUSES

/** A refusal by the authorization server. The message is a sentence for people and becomes `error_description`. */
export class OAuthError extends Error {
  override name = 'OAuthError'
  readonly code: OAuthErrorCode

  constructor(code: OAuthErrorCode, message: string) {
    super(message)
    this.code = code
  }

  get status() {
    return STATUSES[this.code]
  }

  get body() {
    return { error: this.code, error_description: this.message }
  }
}
