import { z } from 'zod'
import { createdAt, ok } from '#fields.ts'
import { defineOperation } from '#operation.ts'

/** Minutes for which a request can be approved, and then for which the key can make it: while somebody is there. */
export const APPROVAL_MINUTES = { request: 60, approved: 10 } as const

/** Requests of one key that wait for an approval. A further one replaces the oldest. */
export const MAX_OPEN_APPROVALS = 20

const approvalId = z.string().describe('Id of the request')
const allKeys = z.boolean().describe('Whether all keys of the account need approvals, not only those for assistants')

const ApprovalSchema = z.object({
  id: approvalId,
  key: z
    .object({ id: z.string().describe('Id of the key'), name: z.string().describe('Its name') })
    .describe('The key that wants to make the request'),
  operation: z.string().describe('Name of the operation, such as `servers.delete`'),
  summary: z.string().describe('What the operation does'),
  thing: z.string().nullable().describe('Name of the thing; null if there is none'),
  arguments: z.record(z.string(), z.unknown()).describe('Arguments of the request; secrets are left out'),
  createdAt,
  approvedAt: z.iso.datetime().nullable().describe('When it was approved; null: it waits'),
  expiresAt: z.iso.datetime().describe('When it can no longer be approved, or once approved, be made'),
})

const APPROVAL = {
  id: 'apr_5xKc2ZhmGyTGcD8hPVKuj3',
  key: { id: 'key_8tQmZk2VwYd4RxLbN7cHs5', name: 'Assistant' },
  operation: 'servers.delete',
  summary: 'Delete a server',
  thing: 'React',
  arguments: { id: 'react' },
  createdAt: '2026-03-02T09:15:25.472Z',
  approvedAt: null,
  expiresAt: '2026-03-02T10:15:25.472Z',
} as const

const listApprovals = defineOperation({
  method: 'GET',
  path: '/api/approvals',
  auth: 'account',
  needs: ['owner', 'read'],
  summary: 'List the requests of keys that wait for an approval, newest first',
  input: z.object({}),
  output: z.object({
    approvals: z.array(ApprovalSchema).describe('Requests that wait, and approved ones that were not made yet'),
    allKeys,
    byInstance: z.boolean().describe('Whether this instance asks for approvals of all keys (`DOCENT_APPROVALS`)'),
  }),
  errors: ['unauthorized', 'key_scoped'],
  example: { input: {}, output: { approvals: [APPROVAL], allKeys: false, byInstance: false } },
})

const approve = defineOperation({
  method: 'POST',
  path: '/api/approvals/{approvalId}',
  auth: 'account',
  needs: ['owner', 'publish'],
  resource: 'approval',
  summary: 'Approve the request of a key',
  description: `Needs a session. The key can make this request once, within ${APPROVAL_MINUTES.approved} minutes.`,
  input: z.object({ approvalId }),
  output: ApprovalSchema,
  errors: ['unauthorized', 'key_scoped', 'approval_not_found'],
  example: { input: { approvalId: APPROVAL.id }, output: { ...APPROVAL, approvedAt: '2026-03-02T09:20:25.472Z' } },
})

const refuseApproval = defineOperation({
  method: 'DELETE',
  path: '/api/approvals/{approvalId}',
  auth: 'account',
  needs: ['owner', 'publish'],
  resource: 'approval',
  summary: 'Refuse the request of a key, or take an approval back',
  input: z.object({ approvalId }),
  output: z.object({ ok }),
  errors: ['unauthorized', 'key_scoped', 'approval_not_found'],
  example: { input: { approvalId: APPROVAL.id }, output: { ok: true } },
})

const changeApprovals = defineOperation({
  method: 'PUT',
  path: '/api/approvals',
  auth: 'account',
  needs: ['owner', 'publish'],
  summary: 'Choose which keys of the account need approvals',
  description: 'Needs a session. Keys for assistants always need them.',
  input: z.object({ allKeys }),
  output: z.object({ ok }),
  errors: ['unauthorized', 'key_scoped', 'invalid_input'],
  example: { input: { allKeys: true }, output: { ok: true } },
})

export const approvalOperations = {
  'approvals.list': listApprovals,
  'approvals.approve': approve,
  'approvals.refuse': refuseApproval,
  'approvals.change': changeApprovals,
} as const
