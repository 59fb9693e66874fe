import { ALL_SCOPES, SUPPORTED_SCOPES } from './scopes.ts'

/** Where clients call a hosted server, below the address of the service. */
const HOSTED_PATH = '/api/mcp/'

export const OAUTH_PATHS = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
  resource: '/.well-known/oauth-protected-resource',
} as const

/** Ways in which clients of the token endpoint identify themselves. */
export const CLIENT_AUTHENTICATION = ['none', 'client_secret_post'] as const

/**
 * The metadata of the authorization server (RFC 8414), also where clients look for that of OpenID. Without `documents`,
 * clients register instead.
 */
export function serverMetadata(baseUrl: string, documents: boolean) {
  return {
    issuer: baseUrl,
    authorization_endpoint: baseUrl + OAUTH_PATHS.authorize,
    token_endpoint: baseUrl + OAUTH_PATHS.token,
    registration_endpoint: baseUrl + OAUTH_PATHS.register,
    revocation_endpoint: baseUrl + OAUTH_PATHS.revoke,
    scopes_supported: SUPPORTED_SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    code_challenge_methods_supported: ['S256'],
    client_id_metadata_document_supported: documents,
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${baseUrl}/docs/private-servers`,
  }
}

/** The metadata of a private hosted server (RFC 9728), under the id or slug by which its client calls it. */
export function resourceMetadata(baseUrl: string, calledAs: string) {
  return {
    resource: resourceOf(baseUrl, calledAs),
    authorization_servers: [baseUrl],
    scopes_supported: SUPPORTED_SCOPES,
    bearer_methods_supported: ['header'],
    resource_documentation: `${baseUrl}/docs/private-servers`,
  }
}

export const resourceOf = (baseUrl: string, calledAs: string): string => `${baseUrl}${HOSTED_PATH}${calledAs}`

/** What the `WWW-Authenticate` of a private server says of the way to a token (RFC 9728, section 5.1). */
export const challengeFor = (baseUrl: string, calledAs: string): string =>
  `resource_metadata="${baseUrl}${OAUTH_PATHS.resource}${HOSTED_PATH}${calledAs}", scope="${ALL_SCOPES}"`

/** The id or slug in the address of a hosted server. Null for any other address. */
export function calledAsIn(baseUrl: string, resource: string): string | null {
  const start = resourceOf(baseUrl, '')
  if (!resource.startsWith(start)) return null
  const name = resource.slice(start.length).replace(/\/$/, '')
  return /^[\w-]{1,80}$/.test(name) ? name : null
}
