import { z } from 'zod'
import { createdAt, ok } from '#fields.ts'
import { defineOperation } from '#operation.ts'
import { ROLE_NAMES } from '../values/permissions.ts'

/** Days after which a session expires: since its last use, and since it was opened. */
export const SESSION_DAYS = { idle: 14, longest: 90 } as const

const MINUTE_MS = 60 * 1000

/**
 * Failed sign-ins from one address (of IPv6, one /64), and from there to one account: enough for a person who tries all
 * passwords they have.
 */
export const SIGN_IN_LIMITS = {
  address: { limit: 20, windowMs: 15 * MINUTE_MS, of: 'failed sign-ins from one network address' },
  accountFromAddress: { limit: 30, windowMs: 60 * MINUTE_MS, of: 'failed sign-ins to one account' },
  account: { limit: 100, windowMs: 60 * MINUTE_MS, of: 'failed sign-ins to one account from all networks' },
} as const

export const RoleSchema = z.enum(ROLE_NAMES)

/** The account of a session, as its member sees it. */
const SignedInAccountSchema = z.object({
  id: z.string().describe('Id of the account'),
  email: z.string().describe('Email address of the person who is signed in; with a key, of the account'),
  name: z.string().describe('Name of the account'),
  plan: z.string().describe('`free`, `core` or `unlimited`'),
  isOperator: z.boolean().describe('Whether the caller is the operator of this instance'),
  role: RoleSchema.describe('Role of the caller in the account'),
  serverIds: z.array(z.string()).nullable().describe('Servers that the caller sees; null: all'),
  accounts: z
    .array(
      z.object({
        id: z.string().describe('Id of the account'),
        name: z.string().describe('Name of the account'),
        role: RoleSchema.describe('Role of the person there'),
      }),
    )
    .describe('Accounts between which the person of this session can switch; none for a key'),
})

const SessionSchema = z.object({
  id: z.string().describe('Id of the session, for ending it'),
  createdAt,
  lastUsedAt: z.iso.datetime().describe('Time of the last request with it'),
  expiresAt: z.iso.datetime().describe('When it ends if it is not used before'),
  userAgent: z.string().nullable().describe('`User-Agent` of the browser at sign-in; null if it sent none'),
  current: z.boolean().describe('Whether this request was made with it'),
})

export const EmailSchema = z
  .string()
  .trim()
  .max(320)
  .regex(/^[^\s@]+@[^\s@]+$/, 'must be an email address')

export const createSession = defineOperation({
  method: 'POST',
  path: '/api/sessions',
  auth: 'none',
  summary: 'Sign in with email address and password',
  description: `The answer sets an httpOnly cookie. Operations accept it like an API key of the whole account. It expires
${SESSION_DAYS.idle} days after its last use, and after ${SESSION_DAYS.longest} days at the latest. Requests with it must come from pages of
this service, unless they are GET requests. An unknown email address gets the same answer as a wrong password. After
${SIGN_IN_LIMITS.address.limit} failed attempts in 15 minutes from one network address, or ${SIGN_IN_LIMITS.accountFromAddress.limit} in an hour for one account from there, further
attempts from there are refused. After ${SIGN_IN_LIMITS.account.limit} failed attempts in an hour for one account from all networks, only those
from networks where the person has signed in before are admitted.`,
  input: z.object({
    email: EmailSchema.describe('Email address of the account'),
    password: z.string().min(1).max(1_000).describe('Password of the account'),
  }),
  output: z.object({
    session: SessionSchema.describe('The new session'),
    account: SignedInAccountSchema.describe('The account'),
    failedSignIns: z.number().int().min(0).describe('Failed attempts to sign in as this person since the last sign-in'),
  }),
  errors: [
    'invalid_input',
    'origin_not_allowed',
    'sign_in_failed',
    'password_sign_in_off',
    'not_permitted',
    'too_many_requests',
  ],
})

export const listSessions = defineOperation({
  method: 'GET',
  path: '/api/sessions',
  auth: 'person',
  needs: ['viewer', 'read'],
  summary: 'Read the account and its sessions',
  input: z.object({}),
  output: z.object({
    account: SignedInAccountSchema.describe('The account of this request'),
    sessions: z.array(SessionSchema).describe('Open sessions of the person; with a key, of the account'),
  }),
  errors: ['unauthorized', 'key_scoped'],
})

export const endSessions = defineOperation({
  method: 'DELETE',
  path: '/api/sessions',
  auth: 'person',
  needs: ['viewer', 'publish'],
  resource: 'session',
  summary: 'Sign out here, elsewhere or everywhere, with effect on the next request',
  description: 'Without `sessionId` and `all`, this ends the session of the request.',
  input: z.object({
    sessionId: z.string().optional().describe('Id of the session to end'),
    all: z.literal(true).optional().describe('Ends every session of the account, including this one'),
  }),
  output: z.object({ ok, ended: z.number().int().min(0).describe('Number of sessions that ended') }),
  errors: ['unauthorized', 'key_scoped', 'session_not_found', 'session_id_required', 'invalid_input'],
})

export const switchAccount = defineOperation({
  method: 'PUT',
  path: '/api/sessions/account',
  auth: 'person',
  needs: ['viewer', 'read'],
  summary: 'Switch the session to another account of the person',
  description: 'It takes effect with the next request of this browser. Later sign-ins begin in this account.',
  input: z.object({ accountId: z.string().describe('Id of the account') }),
  output: z.object({ ok }),
  errors: ['unauthorized', 'key_scoped', 'account_not_found', 'invalid_input'],
})

export const sessionOperations = {
  'sessions.create': createSession,
  'sessions.list': listSessions,
  'sessions.end': endSessions,
  'sessions.switch': switchAccount,
} as const
