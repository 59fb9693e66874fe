import { z } from 'zod'
import { defineOperation } from './operation.ts'

/** Live API keys per account: enough for one per person and use, few enough to review. */
export const MAX_KEYS = 100

const ApiKeySchema = z.object({
  id: z.string(),
  name: z.string(),
  last4: z.string().describe('The last characters of the key, to tell it from others'),
  scope: z.enum(['account', 'servers']),
  serverIds: z.array(z.string()).nullable().describe('The only servers that the key sees; null: the whole account'),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
})

export const listApiKeys = defineOperation({
  method: 'GET',
  path: '/api/keys',
  auth: 'account',
  summary: 'List the API keys of the account',
  input: z.object({}),
  output: z.object({ keys: z.array(ApiKeySchema), maxKeys: z.literal(MAX_KEYS) }),
  errors: ['unauthorized', 'key_scoped'],
})

export const createApiKey = defineOperation({
  method: 'POST',
  path: '/api/keys',
  auth: 'account',
  onceByKey: true,
  summary: 'Make an API key, for the whole account or for some of its servers',
  input: z.object({
    name: z
      .string('name_required')
      .trim()
      .min(1, 'name_required')
      .max(100, 'must have at most 100 characters')
      .describe('Who or what the key is for'),
    serverIds: z
      .array(z.string())
      .min(1)
      .max(1_000)
      .nullish()
      .describe('Hold the key to these servers; without them it is account-wide'),
  }),
  output: ApiKeySchema.extend({ plaintext: z.string().describe('The key, shown this once') }),
  errors: [
    'unauthorized',
    'key_scoped',
    'name_required',
    'invalid_input',
    'server_not_found',
    'key_limit',
    'idempotency_key_malformed',
    'idempotency_key_reused',
  ],
})

export const revokeApiKey = defineOperation({
  method: 'DELETE',
  path: '/api/keys/{keyId}',
  auth: 'account',
  resource: 'apiKey',
  summary: 'Revoke an API key; it stops working at once',
  input: z.object({ keyId: z.string() }),
  output: z.object({ ok: z.literal(true) }),
  errors: ['unauthorized', 'key_scoped', 'api_key_not_found'],
})
