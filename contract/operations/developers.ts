import { z } from 'zod'
import { defineOperation } from '#operation.ts'

/** Lifetime of an attribution token. */
export const ATTRIBUTION_SECONDS = 900

const CredentialsSchema = z.object({
  clientId: z.string().describe('Public id of the developer, `dci_…`'),
  clientSecret: z.string().describe('Secret for calls from a backend, `dcs_…`'),
  appName: z.string().describe('Name of the developer’s application; at first the name of the account'),
})

const getCredentials = defineOperation({
  method: 'GET',
  path: '/api/credentials',
  auth: 'developer',
  needs: ['owner', 'publish'],
  audited: true,
  summary: 'Read the client id and secret of the developer',
  description: 'The first request with a session creates them.',
  input: z.object({}),
  output: CredentialsSchema,
  errors: ['developer_unauthorized', 'credentials_unavailable'],
})

const changeCredentials = defineOperation({
  method: 'PUT',
  path: '/api/credentials',
  auth: 'developer',
  needs: ['owner', 'publish'],
  summary: 'Replace the client secret, with effect on the next request',
  description: 'The previous secret and unused attribution tokens from it are invalid at once. The client id stays.',
  input: z.object({ action: z.literal('regenerate_secret').describe('What to do') }),
  output: CredentialsSchema,
  errors: ['developer_unauthorized', 'invalid_input', 'credentials_unavailable'],
})

/** Attribution tokens of one developer: ten widgets opened in a second, for as long as anybody opens them. */
export const ATTRIBUTION_LIMIT = { limit: 600, windowMs: 60_000, of: 'attribution tokens' } as const

const createAttributionToken = defineOperation({
  method: 'POST',
  path: '/api/attribution/token',
  auth: 'client',
  rateLimit: ATTRIBUTION_LIMIT,
  summary: 'Mint an attribution token for one embed session',
  description: `Call it from your backend, with the client secret. A request with an \`Origin\` header comes from a browser and is
refused. The token works once, within ${ATTRIBUTION_SECONDS / 60} minutes. Mint one for each embed session and do not cache it. An unknown
client id and a wrong secret get the same answer.`,
  input: z.object({
    clientId: z.string().describe('Client id that belongs to the secret'),
    endUserId: z
      .string()
      .max(255)
      .nullish()
      .describe('Your own opaque id of the user to whom the session belongs; recorded with the session'),
  }),
  output: z.object({
    token: z.string().describe('The token, `dav1_…`, for the widget’s `attributionToken`'),
    expiresAt: z.iso.datetime().describe('When it expires if it is not used before'),
    expiresInSeconds: z.literal(ATTRIBUTION_SECONDS).describe('The same as a number of seconds'),
  }),
  errors: ['browser_not_allowed', 'client_unauthorized', 'too_many_requests', 'invalid_input', 'signing_unavailable'],
})

export const developerOperations = {
  'credentials.get': getCredentials,
  'credentials.change': changeCredentials,
  'attributionTokens.create': createAttributionToken,
} as const
