import { z } from 'zod'
import { defineOperation } from './operation.ts'

/** Minutes until an authorisation at the code host expires. */
export const LINK_MINUTES = 10

const path = z.object({
  host: z
    .string()
    .describe(
      '`github.com`, `gitlab.com`, `bitbucket.org`, `codeberg.org`, or a GitLab, Gitea or Forgejo of one’s own',
    ),
})

const LinkedAccountSchema = z.object({
  host: z.string(),
  linked: z.boolean(),
  login: z
    .string()
    .nullable()
    .describe('Name of the account at the code host; null also for a token that may not tell'),
  linkedAt: z.iso.datetime().nullable(),
  via: z.enum(['token', 'app']).nullable().describe('A personal access token, or the app of this instance at the host'),
  appAvailable: z.boolean().describe('Whether this instance has an app at the host, to link without a token'),
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
    'The token is tested before it is saved, stored encrypted, and never returned. It replaces an earlier one. It needs no more than to read repositories.',
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

export const startLink = defineOperation({
  method: 'POST',
  path: '/api/linked-accounts/{host}/authorization',
  auth: 'account',
  resource: 'codeHost',
  summary: 'Begin to link an account of a code host by the app of this instance',
  description: `Send the browser to \`authorizeUrl\`. The host sends it back to \`/oauth/{host}/callback\` of this service, which
finishes the link for the session that began it, once, within ${LINK_MINUTES} minutes.`,
  input: path,
  output: z.object({ authorizeUrl: z.url(), expiresAt: z.iso.datetime() }),
  errors: ['unauthorized', 'code_host_not_found', 'key_scoped', 'link_not_configured', 'credentials_unavailable'],
})

export const finishLink = defineOperation({
  method: 'PUT',
  path: '/api/linked-accounts/{host}/authorization',
  auth: 'account',
  resource: 'codeHost',
  summary: 'Finish to link an account of a code host with what the host sent back',
  description:
    'The page at `/oauth/{host}/callback` does this by itself. It is of use where a key began the link, which the browser does not have.',
  input: path.extend({
    state: z.string().min(1).max(200),
    code: z.string().min(1).max(1_000).optional(),
    error: z.string().max(200).optional().describe('What the host sent instead of a code'),
  }),
  output: LinkedAccountSchema,
  errors: [
    'unauthorized',
    'code_host_not_found',
    'key_scoped',
    'invalid_input',
    'link_attempt_unknown',
    'credential_rejected',
    'link_not_configured',
    'credentials_unavailable',
  ],
})
