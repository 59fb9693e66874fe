import { z } from 'zod'
import { createdAt, ok } from '#fields.ts'
import { defineOperation } from '#operation.ts'
import { KEY_SCOPE_NAMES } from '../values/permissions.ts'

/** Live API keys per account: enough for one per person and use, few enough to review. */
export const MAX_KEYS = 100

const KeyScopeSchema = z.enum(KEY_SCOPE_NAMES)

const ApiKeySchema = z.object({
  id: z.string().describe('Id of the key, for revoking it'),
  name: z.string().describe('Who or what the key is for'),
  last4: z.string().describe('Last four characters of the key'),
  scope: z.enum(['account', 'servers']).describe('`servers`: the key sees only `serverIds`'),
  serverIds: z.array(z.string()).nullable().describe('Servers that the key sees; null: all'),
  scopes: z.array(KeyScopeSchema).nullable().describe('What the key may do; null: everything'),
  forAssistant: z.boolean().describe('Whether its requests that need the scope `publish` wait for an approval'),
  createdAt,
  lastUsedAt: z.iso.datetime().nullable().describe('Time of the last request with it; null if there was none'),
})

export const listApiKeys = defineOperation({
  method: 'GET',
  path: '/api/keys',
  auth: 'account',
  needs: ['owner', 'read'],
  summary: 'List the API keys of the account',
  input: z.object({}),
  output: z.object({
    keys: z.array(ApiKeySchema).describe('The keys that are valid now'),
    maxKeys: z.literal(MAX_KEYS).describe('Keys that an account can have'),
  }),
  errors: ['unauthorized', 'key_scoped'],
})

export const createApiKey = defineOperation({
  method: 'POST',
  path: '/api/keys',
  auth: 'account',
  needs: ['owner', 'publish'],
  onceByKey: true,
  summary: 'Create an API key, for the whole account or for some of its servers',
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
      .describe('Ids of the only servers that the key sees; omit for the whole account'),
    scopes: z
      .array(KeyScopeSchema)
      .min(1)
      .nullish()
      .describe('What the key may do; omit for everything. A key cannot make one that may do more than itself'),
    forAssistant: z
      .boolean()
      .optional()
      .describe('Made for an assistant: what needs the scope `publish` waits for an approval of an owner'),
  }),
  output: ApiKeySchema.extend({ plaintext: z.string().describe('The key; it is shown only here') }),
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
  needs: ['owner', 'publish'],
  resource: 'apiKey',
  summary: 'Revoke an API key, with effect on the next request',
  input: z.object({ keyId: z.string().describe('Id of the key') }),
  output: z.object({ ok }),
  errors: ['unauthorized', 'key_scoped', 'api_key_not_found'],
})

export const keyOperations = {
  'keys.list': listApiKeys,
  'keys.create': createApiKey,
  'keys.revoke': revokeApiKey,
} as const
