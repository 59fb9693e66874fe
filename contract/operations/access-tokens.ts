import { z } from 'zod'
import { ServerParameterSchema as path, createdAt, issuedAt, ok } from '#fields.ts'
import { defineOperation } from '#operation.ts'

/** Upper bound for the live access tokens of one server. */
export const MAX_TOKENS = 10 as const

const AccessTokenSchema = z.object({
  id: z.string().describe('Id of the token, for revoking it'),
  name: z.string().describe('Who or what the token is for'),
  last4: z.string().describe('Last four characters of the token'),
  createdAt,
  lastUsedAt: z.iso.datetime().nullable().describe('Time of the last request with it; null if there was none'),
})

const plaintext = z.string().describe('The token; it is shown only here')

/** A token issued by the change that made its server private. */
export const IssuedTokenSchema = z.object({
  id: z.string().describe('Id of the token, for revoking it'),
  plaintext,
  createdAt: issuedAt,
})

const EXAMPLE = {
  id: 'tok_yUnVTL2fjD35FKSfPpm7Ex',
  name: 'Ann',
  last4: 'bpyM',
  createdAt: '2026-03-02T09:15:25.472Z',
  lastUsedAt: null,
} as const

export const listAccessTokens = defineOperation({
  method: 'GET',
  path: '/api/mcp/{id}/access-tokens',
  auth: 'key',
  needs: ['owner', 'read'],
  resource: 'server',
  summary: 'List the access tokens of a server',
  input: path,
  output: z.object({
    tokens: z.array(AccessTokenSchema).describe('The tokens that are valid now'),
    maxTokens: z.literal(MAX_TOKENS).describe('Tokens that a server can have'),
  }),
  errors: ['unauthorized', 'server_not_found'],
  example: { input: { id: 'acme-mailer' }, output: { tokens: [EXAMPLE], maxTokens: MAX_TOKENS } },
})

export const createAccessToken = defineOperation({
  method: 'POST',
  path: '/api/mcp/{id}/access-tokens',
  auth: 'key',
  needs: ['owner', 'publish'],
  resource: 'server',
  onceByKey: true,
  summary: 'Create an access token for a server',
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
  example: {
    input: { id: 'acme-mailer', name: 'Ann' },
    output: { ...EXAMPLE, plaintext: 'dat_iWnoHDd1C93AWZhZIBwMgl2b4uPLSr39bpyM' },
  },
})

export const revokeAccessToken = defineOperation({
  method: 'DELETE',
  path: '/api/mcp/{id}/access-tokens/{tokenId}',
  auth: 'key',
  needs: ['owner', 'publish'],
  resource: 'accessToken',
  summary: 'Revoke an access token, with effect on the next request',
  input: path.extend({ tokenId: z.string().describe('Id of the token') }),
  output: z.object({ ok }),
  errors: ['unauthorized', 'server_not_found', 'access_token_not_found'],
  example: { input: { id: 'acme-mailer', tokenId: EXAMPLE.id }, output: { ok: true } },
})

export const accessTokenOperations = {
  'accessTokens.list': listAccessTokens,
  'accessTokens.create': createAccessToken,
  'accessTokens.revoke': revokeAccessToken,
} as const
