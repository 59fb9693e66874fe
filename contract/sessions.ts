import { z } from 'zod'
import { defineOperation } from './operation.ts'

/** Days after which a session expires: since its last use, and since it was opened. */
export const SESSION_DAYS = { idle: 14, longest: 90 } as const

const MINUTE_MS = 60 * 1000

/**
 * Failed sign-ins from one address (of IPv6, one /64), and from there to one account: enough for a person who tries all
 * passwords they have.
 */
export const SIGN_IN_LIMITS = {
  address: { limit: 20, windowMs: 15 * MINUTE_MS },
  accountFromAddress: { limit: 30, windowMs: 60 * MINUTE_MS },
} as const

const SignedInAccountSchema = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  plan: z.string(),
  isOperator: z.boolean().describe('Whether the account runs this instance'),
})

const SessionSchema = z.object({
  id: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().describe('When it ends unless it is used before'),
  userAgent: z.string().nullable().describe('What the browser called itself when it signed in'),
  current: z.boolean().describe('Whether it is the one that this request was made with'),
})

export const createSession = defineOperation({
  method: 'POST',
  path: '/api/sessions',
  auth: 'none',
  summary: 'Sign in with e-mail address and password',
  description: `The answer sets an httpOnly cookie that stands in for an API key of the whole account, on every operation
that needs one. It ends ${SESSION_DAYS.idle} days after its last use, and after ${SESSION_DAYS.longest} days at the latest.
With it, anything but a GET is taken from pages of this service only. An unknown address is answered as a wrong password
is. After ${SIGN_IN_LIMITS.address.limit} failed attempts in 15 minutes from one network address, or
${SIGN_IN_LIMITS.accountFromAddress.limit} in an hour to one account from there, further ones from there are refused.`,
  input: z.object({
    email: z
      .string()
      .trim()
      .max(320)
      .regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address'),
    password: z.string().min(1).max(1_000),
  }),
  output: z.object({ session: SessionSchema, account: SignedInAccountSchema }),
  errors: ['invalid_input', 'origin_not_allowed', 'sign_in_failed', 'too_many_requests'],
})

export const listSessions = defineOperation({
  method: 'GET',
  path: '/api/sessions',
  auth: 'account',
  summary: 'Read who is signed in, and where',
  input: z.object({}),
  output: z.object({ account: SignedInAccountSchema, sessions: z.array(SessionSchema) }),
  errors: ['unauthorized', 'key_scoped'],
})

export const endSessions = defineOperation({
  method: 'DELETE',
  path: '/api/sessions',
  auth: 'account',
  resource: 'session',
  summary: 'Sign out: this browser, another one, or everywhere; at once',
  description: 'Without `sessionId` and `all` it ends the session that the request is made with.',
  input: z.object({
    sessionId: z.string().optional().describe('End this one'),
    all: z.literal(true).optional().describe('End every session of the account, this one included'),
  }),
  output: z.object({ ok: z.literal(true), ended: z.number().int().min(0) }),
  errors: ['unauthorized', 'key_scoped', 'session_not_found', 'session_id_required', 'invalid_input'],
})
