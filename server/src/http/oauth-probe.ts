import { DocentError } from '#errors.ts'

const ENDPOINT = /^\/(?:register|authorize|token)\/?$/
const DOCUMENT = /\/\.well-known\/(?:oauth-|openid-configuration)/

const NO_OAUTH =
  'This service has no OAuth. A private server needs one of its access tokens as "Authorization: Bearer <ACCESS_TOKEN>", and the endpoint of the account an API key.'

/**
 * Error for an unknown path. Refused MCP clients probe for OAuth and show users the `error_description` (RFC 6749,
 * section 5.2; RFC 7591, section 3.2.2).
 */
export function notFoundError(path: string): DocentError {
  const isProbe = ENDPOINT.test(path) || DOCUMENT.test(path)
  return new DocentError('not_found', isProbe ? { fields: { error_description: NO_OAUTH } } : {})
}
