import { z } from 'zod'
import { defineOperation } from './operation.ts'

const path = z.object({ host: z.string().describe('`github.com`') })

const LinkedAccountSchema = z.object({
  host: z.string(),
  linked: z.boolean(),
  login: z.string().nullable().describe('Name of the account at the code host'),
  linkedAt: z.iso.datetime().nullable(),
})

export const getLinkedAccount = defineOperation({
  method: 'GET',
  path: '/api/linked-accounts/{host}',
  auth: 'key',
  resource: 'codeHost',
  summary: 'Read which account of a code host is linked',
  input: path,
  output: LinkedAccountSchema,
  errors: ['unauthorized', 'code_host_not_found'],
})

export const linkAccount = defineOperation({
  method: 'PUT',
  path: '/api/linked-accounts/{host}',
  auth: 'account',
  resource: 'codeHost',
  summary: 'Link an account of a code host by a personal access token, so that its private repositories can be read',
  description:
    'The token is tested before it is saved, stored encrypted, and never returned. It replaces an earlier one.',
  input: path.extend({
    token: z
      .string('credential_required')
      .trim()
      .min(1, 'credential_required')
      .max(1_000, 'must have at most 1,000 characters')
      .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without blanks'),
  }),
  output: LinkedAccountSchema,
  errors: [
    'unauthorized',
    'code_host_not_found',
    'key_scoped',
    'credential_required',
    'invalid_input',
    'credential_rejected',
    'credentials_unavailable',
  ],
})

export const unlinkAccount = defineOperation({
  method: 'DELETE',
  path: '/api/linked-accounts/{host}',
  auth: 'account',
  resource: 'codeHost',
  summary: 'Unlink an account of a code host and delete its token',
  input: path,
  output: z.object({ ok: z.literal(true), removed: z.number().int() }),
  errors: ['unauthorized', 'code_host_not_found', 'key_scoped'],
})
