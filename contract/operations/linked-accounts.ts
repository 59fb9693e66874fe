import { z } from 'zod'
import { ok } from '#fields.ts'
import { defineOperation } from '#operation.ts'

/** Minutes until an authorisation at the code host expires. */
export const LINK_MINUTES = 10

const path = z.object({
  host: z
    .string()
    .describe(
      '`github.com`, `gitlab.com`, `bitbucket.org`, `codeberg.org`, or the host of your own GitLab, Gitea or Forgejo',
    ),
})

const LinkedAccountSchema = z.object({
  host: z.string().describe('Name of the code host'),
  linked: z.boolean().describe('Whether an account is linked'),
  login: z
    .string()
    .nullable()
    .describe('Name of the account at the code host; null if none is linked or its token may not read it'),
  linkedAt: z.iso.datetime().nullable().describe('Time of linking; null if none is linked'),
  via: z
    .enum(['token', 'app'])
    .nullable()
    .describe('`token`: a personal access token; `app`: the app of this instance at the host; null if none is linked'),
  appAvailable: z.boolean().describe('Whether this instance has an app at the host, to link without a token'),
})

export const getLinkedAccount = defineOperation({
  method: 'GET',
  path: '/api/linked-accounts/{host}',
  auth: 'key',
  needs: ['viewer', 'read'],
  resource: 'codeHost',
  summary: 'Read the linked account of a code host',
  input: path,
  output: LinkedAccountSchema,
  errors: ['unauthorized', 'code_host_not_found'],
})

export const linkAccount = defineOperation({
  method: 'PUT',
  path: '/api/linked-accounts/{host}',
  auth: 'account',
  needs: ['owner', 'publish'],
  resource: 'codeHost',
  summary: 'Link an account of a code host by a personal access token, to read its private repositories',
  description:
    'The token is tested, then stored encrypted. It is never returned. It replaces an earlier one. It only needs to read repositories.',
  input: path.extend({
    token: z
      .string('credential_required')
      .trim()
      .min(1, 'credential_required')
      .max(1_000, 'must have at most 1,000 characters')
      .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without blanks')
      .describe('Personal access token of the account'),
  }),
  output: LinkedAccountSchema,
  errors: [
    'unauthorized',
    'code_host_not_found',
    'key_scoped',
    'credential_required',
    'invalid_input',
    'credential_rejected',
    'host_unavailable',
    'credentials_unavailable',
  ],
})

export const unlinkAccount = defineOperation({
  method: 'DELETE',
  path: '/api/linked-accounts/{host}',
  auth: 'account',
  needs: ['owner', 'publish'],
  resource: 'codeHost',
  summary: 'Unlink an account of a code host and delete its token',
  input: path,
  output: z.object({ ok, removed: z.number().int().describe('1 if an account was linked, else 0') }),
  errors: ['unauthorized', 'code_host_not_found', 'key_scoped'],
})

export const startLink = defineOperation({
  method: 'POST',
  path: '/api/linked-accounts/{host}/authorization',
  auth: 'account',
  needs: ['owner', 'publish'],
  resource: 'codeHost',
  summary: 'Start to link an account of a code host by the app of this instance',
  description: `Open \`authorizeUrl\` in a browser. The host redirects it to \`/oauth/{host}/callback\` of this service, which
finishes the link for the session that started it. This works once, within ${LINK_MINUTES} minutes.`,
  input: path,
  output: z.object({
    authorizeUrl: z.url().describe('Page of the host that asks the user for permission'),
    expiresAt: z.iso.datetime().describe('Time until which the link can be finished'),
  }),
  errors: ['unauthorized', 'code_host_not_found', 'key_scoped', 'link_not_configured', 'credentials_unavailable'],
})

export const finishLink = defineOperation({
  method: 'PUT',
  path: '/api/linked-accounts/{host}/authorization',
  auth: 'account',
  needs: ['owner', 'publish'],
  resource: 'codeHost',
  summary: 'Finish linking an account of a code host, with the parameters of the host’s redirect',
  description:
    'The page at `/oauth/{host}/callback` does this for a session. Use this operation if an API key started the link.',
  input: path.extend({
    state: z.string().min(1).max(200).describe('`state` of the redirect'),
    code: z.string().min(1).max(1_000).optional().describe('`code` of the redirect'),
    error: z.string().max(200).optional().describe('`error` of the redirect, which has no `code` then'),
  }),
  output: LinkedAccountSchema,
  errors: [
    'unauthorized',
    'code_host_not_found',
    'key_scoped',
    'invalid_input',
    'link_attempt_unknown',
    'credential_rejected',
    'host_unavailable',
    'link_not_configured',
    'credentials_unavailable',
  ],
})

export const linkedAccountOperations = {
  'linkedAccounts.get': getLinkedAccount,
  'linkedAccounts.link': linkAccount,
  'linkedAccounts.unlink': unlinkAccount,
  'linkedAccounts.start': startLink,
  'linkedAccounts.finish': finishLink,
} as const
