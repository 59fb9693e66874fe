import { z } from 'zod'
import { KEY_SCOPE_NAMES, ROLE_NAMES } from './values/permissions.ts'

/** Error members besides `error` and `message`, with descriptions. */
export const ERROR_FIELDS = {
  message: z.string().describe('What is wrong, for people'),
  limit: z.number().int().describe('Amount that the plan or the service allows'),
  retryAfterSeconds: z.number().int().describe('Seconds to wait, as in the header `Retry-After`'),
  used: z.number().int().describe('Amount in use: sources, or characters of text'),
  paidCredits: z.number().int().describe('Sources added beyond the plan'),
  canUpgrade: z.boolean().describe('Whether there is a larger plan'),
  purchaseUrl: z.url().describe('Page to add one more'),
  upgradeUrl: z.url().describe('Page about larger plans'),
  approvalUrl: z.url().describe('Page on which an owner can approve the request'),
  docsUrl: z.url().describe('Page that says how to use the address'),
  removed: z.array(z.string()).describe('Parts of the sentence that a rule cannot do'),
  unknown: z.array(z.string()).describe('Names that are not tools'),
  validTools: z.array(z.string()).describe('Names of all tools'),
  tools: z.array(z.string()).describe('Tools of the server, which have not changed'),
  owner: z.string().describe('Owner of the repository'),
  repo: z.string().describe('Name of the repository'),
  hasGithubLink: z.boolean().describe('Whether an account at the code host is linked'),
  requiredRole: z.enum(ROLE_NAMES).describe('The least role of a member who may do this'),
  requiredScope: z.enum(KEY_SCOPE_NAMES).describe('The scope that a key needs for this'),
  isPrivate: z.boolean().describe('Whether the repository is known to be private'),
} as const

type Field = keyof typeof ERROR_FIELDS

/**
 * `goesOn`: the answer may continue after the sentence. `fields`: members that are always present. `mayHave`: optional
 * members. `quotes`: it can quote a host, a page or another program.
 */
export type ErrorRow = { status: number; fields?: readonly Field[]; mayHave?: readonly Field[]; quotes?: true } & (
  | { sentence: string; goesOn?: true }
  | { message: string }
)
