import { DocentError } from '#errors.ts'

const ENDPOINT = /^\/(?:register|authorize|token)\/?$/
const DOCUMENT = /\/\.well-known\/(?:oauth-|openid-configuration)/

const NO_OAUTH =
  'This service has no OAuth. A private server needs one of its access tokens as "Authorization: Bearer <ACCESS_TOKEN>".'

/**
 * The answer to a path that does not exist. MCP clients that were refused look for OAuth, and show their users the
 * `error_description` of the answer (RFC 6749, 5.2; RFC 7591, 3.2.2).
 */
export function notFoundError(path: string): DocentError {
  const isProbe = ENDPOINT.test(path) || DOCUMENT.test(path)
  return new DocentError('not_found', isProbe ? { fields: { error_description: NO_OAUTH } } : {})
}
