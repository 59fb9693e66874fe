import { z } from 'zod'
import { defineOperation } from '#operation.ts'
import { EmailSchema, createSession } from './sessions.ts'

/** Minutes for which a setup link can be used: enough to open it, short enough for a log that others read. */
export const SETUP_LINK_MINUTES = 30

/** Characters of a new password. The shortest has the length that NIST SP 800-63B asks for, plus two. */
export const PASSWORD = { min: 10, max: 1_000 } as const

/** Length in code points: a letter outside the basic plane counts once. */
const lengthOf = (text: string): number => [...text].length

export const NewPasswordSchema = z
  .string()
  .max(PASSWORD.max)
  .refine((text) => lengthOf(text) >= PASSWORD.min, 'password_too_short')
  .meta({ minLength: PASSWORD.min })

export const getSetup = defineOperation({
  method: 'GET',
  path: '/api/setup',
  auth: 'none',
  summary: 'Read how accounts are made on this instance',
  input: z.object({}),
  output: z.object({
    open: z.boolean().describe('True until the first account exists. It is made with the setup link'),
    signUps: z.boolean().describe('Whether anybody can make an account'),
    passwords: z.boolean().describe('Whether people sign in with a password'),
    command: z.string().describe('How `docent` is called on the machine of the service'),
    providers: z
      .array(
        z.object({
          id: z.string().describe('Id of the provider. A browser signs in at `/oidc/{id}/start`'),
          name: z.string().describe('Name of the provider, for the button'),
        }),
      )
      .describe('Providers with which people sign in'),
  }),
  errors: [],
})

export const claimSetup = defineOperation({
  method: 'POST',
  path: '/api/setup',
  auth: 'none',
  summary: 'Create the first account of this instance with the setup link, and sign in',
  description: `The service prints a setup link at its start, as long as there is no account. \`docent setup-link\` prints another.
A link works for ${SETUP_LINK_MINUTES} minutes. The account becomes the operator. Once an account exists, every request gets 404.`,
  input: z.object({
    token: z.string().min(1).max(200).describe('The part of the setup link after `#`'),
    email: EmailSchema.describe('Email address of the account'),
    password: NewPasswordSchema.describe(`Password of the account, with at least ${PASSWORD.min} characters`),
  }),
  output: createSession.output,
  errors: [
    'invalid_input',
    'password_too_short',
    'password_common',
    'origin_not_allowed',
    'setup_link_unknown',
    'not_found',
  ],
})

/** New accounts from one address: enough for a team behind one router. */
export const SIGN_UP_LIMIT = { limit: 10, windowMs: 60 * 60_000, of: 'new accounts from one network address' } as const

export const signUp = defineOperation({
  method: 'POST',
  path: '/api/accounts',
  auth: 'none',
  summary: 'Create an account, and sign in, if the instance lets anybody',
  description: `Off by default; \`DOCENT_SIGNUPS=on\` turns it on. The account is on the plan of \`DOCENT_DEFAULT_PLAN\`. At most
${SIGN_UP_LIMIT.limit} accounts in an hour from one network address. The first account of an instance is made with the setup link.`,
  input: claimSetup.input.omit({ token: true }),
  output: createSession.output,
  errors: [
    'invalid_input',
    'password_too_short',
    'password_common',
    'origin_not_allowed',
    'sign_ups_off',
    'password_sign_in_off',
    'email_taken',
    'too_many_requests',
  ],
})

export const setupOperations = {
  'setup.get': getSetup,
  'setup.claim': claimSetup,
  'setup.signUp': signUp,
} as const
