import { z } from 'zod'
import { createdAt, ok } from '#fields.ts'
import { defineOperation } from '#operation.ts'
import { EmailSchema, RoleSchema, createSession } from './sessions.ts'
import { PASSWORD } from './setup.ts'

/** Members and open invitations of an account: enough for a company, few enough to review. */
export const MAX_MEMBERS = 200
/** Days for which an invitation can be accepted: over a weekend and a holiday. */
export const INVITATION_DAYS = 7

const role = RoleSchema.describe(
  '`viewer` sees and asks, `editor` changes sources, tools and rules too, `owner` does everything',
)
const serverIds = z.array(z.string()).nullable().describe('Servers that the member sees; null: all')
const memberId = z.string().describe('Id of the member')

const chosenServers = z
  .array(z.string())
  .min(1)
  .max(1_000)
  .nullish()
  .describe('Ids of the only servers that the member sees; omit for all. An owner sees all')

const MemberSchema = z.object({
  id: memberId,
  email: z.string().describe('Email address of the person'),
  role,
  serverIds,
  isYou: z.boolean().describe('Whether this request was made by this member'),
  createdAt: createdAt.describe('When the person became a member'),
})

const InvitationSchema = z.object({
  id: z.string().describe('Id of the invitation'),
  email: z.string().describe('Address of the invited person'),
  role,
  serverIds,
  createdAt,
  expiresAt: z.iso.datetime().describe('When the link stops working'),
})

const MEMBER = {
  id: 'per_8tQmZk2VwYd4RxLbN7cHs5',
  email: 'ann@example.com',
  role: 'editor',
  serverIds: null,
  isYou: false,
  createdAt: '2026-03-02T09:15:25.472Z',
} as const

const INVITATION = {
  id: 'inv_3VwYd4RxLbN7cHs58tQmZk',
  email: 'bob@example.com',
  role: 'viewer',
  serverIds: ['srv_Gu2XkR4mTq8ZbNw6VcLs1P'],
  createdAt: '2026-03-02T09:15:25.472Z',
  expiresAt: '2026-03-09T09:15:25.472Z',
} as const

const LINK = 'https://docent.example.com/invite#dmi_iWnoHDd1C93AWZhZIBwMgl2b4uPLSr39bpyM'

export const listMembers = defineOperation({
  method: 'GET',
  path: '/api/members',
  auth: 'account',
  needs: ['viewer', 'read'],
  summary: 'List the members of the account, and its open invitations',
  input: z.object({}),
  output: z.object({
    members: z.array(MemberSchema).describe('The members, the oldest first'),
    invitations: z.array(InvitationSchema).describe('Invitations that can be accepted; only owners see them'),
    maxMembers: z.literal(MAX_MEMBERS).describe('Members and open invitations that an account can have'),
  }),
  errors: ['unauthorized', 'key_scoped'],
  example: { input: {}, output: { members: [MEMBER], invitations: [INVITATION], maxMembers: MAX_MEMBERS } },
})

export const inviteMember = defineOperation({
  method: 'POST',
  path: '/api/members/invitations',
  auth: 'account',
  needs: ['owner', 'publish'],
  onceByKey: true,
  summary: 'Invite a person to the account by a link',
  description: `The link works once, for ${INVITATION_DAYS} days. Docent sends no mail: give the link to the person. An earlier invitation of the same address stops working.`,
  input: z.object({ email: EmailSchema.describe('Address of the person'), role, serverIds: chosenServers }),
  output: InvitationSchema.extend({ link: z.string().describe('The link; it is shown only here') }),
  errors: [
    'unauthorized',
    'key_scoped',
    'invalid_input',
    'server_not_found',
    'member_exists',
    'member_limit',
    'idempotency_key_malformed',
    'idempotency_key_reused',
  ],
  example: {
    input: { email: INVITATION.email, role: INVITATION.role, serverIds: INVITATION.serverIds },
    output: { ...INVITATION, link: LINK },
  },
})

export const withdrawInvitation = defineOperation({
  method: 'DELETE',
  path: '/api/members/invitations/{invitationId}',
  auth: 'account',
  needs: ['owner', 'publish'],
  resource: 'invitation',
  summary: 'Withdraw an invitation',
  input: z.object({ invitationId: InvitationSchema.shape.id }),
  output: z.object({ ok }),
  errors: ['unauthorized', 'key_scoped', 'invitation_not_found'],
  example: { input: { invitationId: INVITATION.id }, output: { ok: true } },
})

export const changeMember = defineOperation({
  method: 'PATCH',
  path: '/api/members/{memberId}',
  auth: 'account',
  needs: ['owner', 'publish'],
  resource: 'member',
  summary: 'Change the role of a member, and the servers that the member sees, with effect on the next request',
  description: 'Connections of the member to servers that are no longer visible end.',
  input: z.object({ memberId, role, serverIds: chosenServers }),
  output: MemberSchema,
  errors: ['unauthorized', 'key_scoped', 'member_not_found', 'invalid_input', 'server_not_found', 'last_owner'],
  example: { input: { memberId: MEMBER.id, role: 'editor' }, output: MEMBER },
})

export const transferAccount = defineOperation({
  method: 'POST',
  path: '/api/members/{memberId}/transfer',
  auth: 'account',
  needs: ['owner', 'publish'],
  resource: 'member',
  summary: 'Make another member the owner, instead of yourself or of an owner that you name',
  description: 'The owner before becomes an editor. Other owners stay owners.',
  input: z.object({
    memberId,
    from: z.string().optional().describe('Id of the owner before; needed with a key. Default: you'),
  }),
  output: z.object({ ok }),
  errors: ['unauthorized', 'key_scoped', 'member_not_found'],
  example: { input: { memberId: MEMBER.id }, output: { ok: true } },
})

export const removeMember = defineOperation({
  method: 'DELETE',
  path: '/api/members/{memberId}',
  auth: 'account',
  needs: ['owner', 'publish'],
  resource: 'member',
  summary: 'Remove a member from the account',
  description:
    'Ends the sessions and connections of the member in this account. The keys that the member made are revoked.',
  input: z.object({
    memberId,
    keepKeys: z.boolean().optional().describe('Keeps the keys that the member made; false by default'),
  }),
  output: z.object({ ok, revokedKeys: z.number().int().min(0).describe('Number of keys that were revoked') }),
  errors: ['unauthorized', 'key_scoped', 'member_not_found', 'invalid_input', 'last_owner'],
  example: { input: { memberId: MEMBER.id }, output: { ok: true, revokedKeys: 1 } },
})

export const leaveAccount = defineOperation({
  method: 'POST',
  path: '/api/members/leave',
  auth: 'person',
  needs: ['viewer', 'publish'],
  summary: 'Leave the account of this session',
  description: 'Needs a session. It ends your sessions and connections in this account. The last owner cannot leave.',
  input: z.object({}),
  output: z.object({ ok }),
  errors: ['unauthorized', 'key_scoped', 'last_owner'],
  example: { input: {}, output: { ok: true } },
})

const token = z.string().min(1).max(200).describe('The part of the link after `#`')

export const readInvitation = defineOperation({
  method: 'POST',
  path: '/api/invitations/read',
  auth: 'none',
  summary: 'Read an invitation before accepting it',
  input: z.object({ token }),
  output: z.object({
    email: InvitationSchema.shape.email,
    account: z.string().nullable().describe('Name of the account; null for an account of one’s own'),
    role,
    isKnown: z.boolean().describe('Whether the person has a password or a provider here already'),
    expiresAt: InvitationSchema.shape.expiresAt,
  }),
  errors: ['invalid_input', 'invitation_not_found', 'not_permitted', 'too_many_requests'],
  example: {
    input: { token: LINK.split('#')[1] ?? '' },
    output: {
      email: INVITATION.email,
      account: 'Acme',
      role: INVITATION.role,
      isKnown: false,
      expiresAt: INVITATION.expiresAt,
    },
  },
})

export const acceptInvitation = defineOperation({
  method: 'POST',
  path: '/api/invitations/accept',
  auth: 'none',
  summary: 'Accept an invitation, and sign in to its account',
  description:
    'A person who is known here gives the password, or is signed in already. Anybody else chooses a password. The link works once.',
  input: z.object({
    token,
    password: z
      .string()
      .min(1)
      .max(PASSWORD.max)
      .optional()
      .describe(`The password, or for a new person one with at least ${PASSWORD.min} characters`),
  }),
  output: createSession.output,
  errors: [
    'invalid_input',
    'origin_not_allowed',
    'invitation_not_found',
    'sign_in_failed',
    'password_too_short',
    'password_common',
    'password_sign_in_off',
    'not_permitted',
    'too_many_requests',
  ],
})

export const memberOperations = {
  'members.list': listMembers,
  'members.invite': inviteMember,
  'members.withdraw': withdrawInvitation,
  'members.leave': leaveAccount,
  'members.change': changeMember,
  'members.transfer': transferAccount,
  'members.remove': removeMember,
  'invitations.read': readInvitation,
  'invitations.accept': acceptInvitation,
} as const
