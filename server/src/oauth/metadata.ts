import { type CalledAs, OFFLINE, scopesOf } from './scopes.ts'

/** Where clients call a hosted server, below the address of the service. */
const HOSTED_PATH = '/api/mcp/'
export const ACCOUNT_PATH = '/api/headless/mcp'

export const OAUTH_PATHS = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
  resource: '/.well-known/oauth-protected-resource',
} as const

/** Ways in which clients of the token endpoint identify themselves. */
export const CLIENT_AUTHENTICATION = ['none', 'client_secret_post'] as const

/** What of OAuth the operator allows: metadata documents, and connections to the endpoint of the account. */
type Allowed = { oauthDocuments: boolean; oauthAccount: boolean }

/**
 * The metadata of the authorization server (RFC 8414), also where clients look for that of OpenID. Without documents,
 * clients register instead.
 */
export function serverMetadata(baseUrl: string, { oauthDocuments, oauthAccount }: Allowed) {
  return {
    issuer: baseUrl,
    authorization_endpoint: baseUrl + OAUTH_PATHS.authorize,
    token_endpoint: baseUrl + OAUTH_PATHS.token,
    registration_endpoint: baseUrl + OAUTH_PATHS.register,
    revocation_endpoint: baseUrl + OAUTH_PATHS.revoke,
    // The scopes of the account include those of servers.
    scopes_supported: supportedScopes(oauthAccount ? null : ''),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    code_challenge_methods_supported: ['S256'],
    client_id_metadata_document_supported: oauthDocuments,
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${baseUrl}/docs/private-servers`,
  }
}

const supportedScopes = (calledAs: CalledAs): string[] => [...Object.keys(scopesOf(calledAs)), OFFLINE]

/** The metadata of a private server or the account (RFC 9728), under the name by which its client calls it. */
export function resourceMetadata(baseUrl: string, calledAs: CalledAs) {
  return {
    resource: resourceOf(baseUrl, calledAs),
    authorization_servers: [baseUrl],
    scopes_supported: supportedScopes(calledAs),
    bearer_methods_supported: ['header'],
    resource_documentation: `${baseUrl}/docs/${calledAs === null ? 'account-endpoint' : 'private-servers'}`,
  }
}

const pathOf = (calledAs: CalledAs): string => (calledAs === null ? ACCOUNT_PATH : HOSTED_PATH + calledAs)

export const resourceOf = (baseUrl: string, calledAs: CalledAs): string => baseUrl + pathOf(calledAs)

/** What the `WWW-Authenticate` of a resource says of the way to a token (RFC 9728, section 5.1). */
export const challengeFor = (baseUrl: string, calledAs: CalledAs): string =>
  `resource_metadata="${baseUrl}${OAUTH_PATHS.resource}${pathOf(calledAs)}", scope="${Object.keys(scopesOf(calledAs)).join(' ')}"`

/** What clients call at an address. Undefined for any other address. */
export function calledAsIn(baseUrl: string, resource: string): CalledAs | undefined {
  const address = resource.replace(/\/$/, '')
  if (address === resourceOf(baseUrl, null)) return null
  const start = resourceOf(baseUrl, '')
  const name = address.startsWith(start) ? address.slice(start.length).replace(/\/chatgpt$/, '') : ''
  return /^[\w-]{1,80}$/.test(name) ? name : undefined
}
