import { z } from 'zod'
import { defineOperation } from './operation.ts'

/** Upper bound for the live access tokens of one server. */
export const MAX_TOKENS = 10 as const

const path = z.object({ id: z.string().describe('Id or slug of the server') })

const AccessTokenSchema = z.object({
  id: z.string(),
  name: z.string(),
  last4: z.string().describe('The last characters of the token, to tell it from others'),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
})

const plaintext = z.string().describe('The token, shown this once')

/** A token issued by the change that made its server private. */
export const IssuedTokenSchema = z.object({ id: z.string(), plaintext, createdAt: z.iso.datetime() })

export const listAccessTokens = defineOperation({
  method: 'GET',
  path: '/api/mcp/{id}/access-tokens',
  auth: 'key',
  resource: 'server',
  summary: 'List the access tokens of a server',
  input: path,
  output: z.object({ tokens: z.array(AccessTokenSchema), maxTokens: z.literal(MAX_TOKENS) }),
  errors: ['unauthorized', 'server_not_found'],
})

export const createAccessToken = defineOperation({
  method: 'POST',
  path: '/api/mcp/{id}/access-tokens',
  auth: 'key',
  resource: 'server',
  onceByKey: true,
  summary: 'Make an access token for a server',
  input: path.extend({
    name: z
      .string('name_required')
      .trim()
      .min(1, 'name_required')
      .max(100, 'must have at most 100 characters')
      .describe('Who or what the token is for'),
  }),
  output: AccessTokenSchema.extend({ plaintext }),
  errors: [
    'unauthorized',
    'server_not_found',
    'name_required',
    'invalid_input',
    'token_limit',
    'idempotency_key_malformed',
    'idempotency_key_reused',
  ],
})

export const revokeAccessToken = defineOperation({
  method: 'DELETE',
  path: '/api/mcp/{id}/access-tokens/{tokenId}',
  auth: 'key',
  resource: 'accessToken',
  summary: 'Revoke an access token; it stops working at once',
  input: path.extend({ tokenId: z.string() }),
  output: z.object({ ok: z.literal(true) }),
  errors: ['unauthorized', 'server_not_found', 'access_token_not_found'],
})
