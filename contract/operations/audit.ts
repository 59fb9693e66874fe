import { z } from 'zod'
import { pageParameter, paging } from '#fields.ts'
import { AUDIT_PAGE_SIZE } from '#limits.ts'
import { defineOperation } from '#operation.ts'

const EntrySchema = z.object({
  at: z.iso.datetime().describe('Time of the act'),
  action: z
    .string()
    .describe('Name of the operation, such as `keys.create`, `sessions.create` (sign-in) or `connections.replay`'),
  by: z.string().nullable().describe('Address of the member, or name of the key; null if nobody is known'),
  credential: z
    .string()
    .describe('`key`, `session`, `client` (a client secret), `password`, `connection` or `provider`'),
  credentialId: z.string().nullable().describe('Id of the key, session, connection or provider'),
  address: z.string().nullable().describe('Network address of the request; null at the endpoint of the account'),
  thing: z.string().nullable().describe('Kind of the thing, such as `server`; null if there is none'),
  thingId: z.string().nullable().describe('Id of the thing'),
  details: z.string().nullable().describe('Values of the request that matter, as JSON, such as a role'),
})

const filter = {
  search: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe('Only entries with this text: an address of a member, the name of a key, an id, an action or a value'),
  memberId: z.string().max(100).optional().describe('Only what this member did'),
  noun: z
    .string()
    .regex(/^[a-zA-Z]{1,40}$/, 'must be the first word of an action, such as keys')
    .optional()
    .describe('Only actions that begin with this word, such as `keys`'),
  thing: z.string().max(100).optional().describe('Only entries about this kind of thing, such as `server`'),
}

const ENTRY = {
  at: '2026-03-02T09:15:25.472Z',
  action: 'members.change',
  by: 'ann@example.com',
  credential: 'session',
  credentialId: 'ses_q6Aki2ZhmGyTGcD5hPVKuj',
  address: '203.0.113.7',
  thing: 'member',
  thingId: 'per_8tQmZk2VwYd4RxLbN7cHs5',
  details: '{"role":"editor"}',
} as const

export const listAudit = defineOperation({
  method: 'GET',
  path: '/api/audit',
  auth: 'account',
  needs: ['owner', 'read'],
  summary: 'Read the audit log of the account, newest first',
  description:
    'Changes, exports, reads of secrets, sign-ins and failed sign-ins of members, and connections. Entries are never changed. `DOCENT_AUDIT_DAYS` says how long they stay.',
  input: z.object({ page: pageParameter, ...filter }),
  output: z.object({ entries: z.array(EntrySchema).describe('Entries'), ...paging(AUDIT_PAGE_SIZE) }),
  errors: ['unauthorized', 'key_scoped', 'invalid_input'],
  example: {
    input: {},
    output: { entries: [ENTRY], page: 1, pageSize: AUDIT_PAGE_SIZE, total: 1, totalPages: 1 },
  },
})

export const exportAudit = defineOperation({
  method: 'GET',
  path: '/api/audit/export',
  auth: 'account',
  needs: ['owner', 'read'],
  audited: true,
  produces: 'table',
  summary: 'Export the audit log, newest first',
  input: z.object({
    format: z
      .enum(['json', 'csv', 'ndjson'])
      .default('json')
      .describe('Format of the answer; `ndjson` has one object per line'),
    ...filter,
  }),
  output: EntrySchema,
  errors: ['unauthorized', 'key_scoped', 'invalid_input'],
  example: { input: {}, output: [ENTRY] },
})

export const auditOperations = {
  'audit.list': listAudit,
  'audit.export': exportAudit,
} as const
