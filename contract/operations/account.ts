import { z } from 'zod'
import { ok, serverId } from '#fields.ts'
import { CallerLimitsSchema } from '#values/caller-limits.ts'
import { defineOperation } from '#operation.ts'
import { NewPasswordSchema, PASSWORD } from './setup.ts'

const count = z.number().int().min(0)
const used = count.describe('Used so far')
const limit = count.nullable().describe('Included in the plan; null: no limit')
const plan = z.string().describe('`free`, `core` or `unlimited`')
const feature = (about: string) => z.boolean().describe(about)

export const getUsage = defineOperation({
  method: 'GET',
  path: '/api/billing/usage',
  auth: 'key',
  needs: ['viewer', 'read'],
  tool: {
    name: 'get_account',
    title: 'Get the account',
    description:
      'Get the plan of the account, what of it is used this month, its limits and features, and which servers this key sees. Use it after a refusal by a limit.',
    kind: 'read',
    arguments: {},
    parts: { usage: 'account.usage', entitlements: 'account.entitlements' },
  },
  summary: 'Read the usage of the plan in this calendar month',
  description:
    'A key that is scoped to servers sees only those servers. MCP requests are counted for the whole account.',
  input: z.object({}),
  output: z.object({
    plan,
    period: z
      .object({
        start: z.iso.datetime().describe('First moment of the month'),
        end: z.iso.datetime().describe('First moment of the next month'),
      })
      .describe('The current calendar month (UTC)'),
    servers: z.object({ used, limit }).describe('Servers of the account, without deleted ones'),
    sources: z
      .array(
        z.object({
          serverId,
          used,
          limit: count.nullable().describe('Included in the plan, plus `paidCredits`; null: no limit'),
          paidCredits: count.describe('Sources added beyond the plan'),
        }),
      )
      .describe('Sources of each server'),
    customTools: z.object({ used, limit }).describe('Custom tools of the account'),
    mcpRequests: z
      .object({
        used,
        limit,
        remaining: count.nullable().describe('Requests left this month; null: no limit'),
        resetsAt: z.iso.datetime().describe('When the count starts again'),
      })
      .describe('Calls of tools, over all servers'),
  }),
  errors: ['unauthorized'],
})

export const getEntitlements = defineOperation({
  method: 'GET',
  path: '/api/account/entitlements',
  auth: 'key',
  needs: ['viewer', 'read'],
  summary: 'Read the limits and features of the plan and the key',
  input: z.object({}),
  output: z.object({
    plan,
    trial: z
      .object({
        active: z.boolean().describe('Whether the trial applies now'),
        endsAt: z.iso.datetime().nullable().describe('End of the trial; null for accounts without one'),
      })
      .describe('The trial of the request log and of analytics'),
    key: z
      .object({
        scope: z.enum(['account', 'servers']).describe('`servers`: the key sees only `serverIds`'),
        serverIds: z.array(z.string()).nullable().describe('Servers of the key; null: all'),
      })
      .describe('The key or session of this request'),
    limits: z
      .object({
        servers: limit.describe('Servers; null: no limit'),
        sourcesPerServer: limit.describe('Sources per server; null: no limit'),
        trialSourcesOnFirstServer: count.nullable().describe('Sources on the first server while the trial is active'),
        sourceBytesPerServer: limit.describe('Characters of indexed text per server; null: no limit'),
        minToolsPerServer: count.describe('Tools that a server must have'),
        maxToolsPerServer: count.describe('Tools that a server can have'),
        customTools: limit.describe('Custom tools of the account; null: no limit'),
        rulesPerServer: limit.describe('Retrieval rules per server; null: no limit'),
        mcpRequestsPerMonth: limit.describe('Calls of tools per calendar month; null: no limit'),
        retentionDays: count.describe('Days for which a deleted server can be restored'),
        customToolPromptMinLength: count.describe('Characters of a custom tool’s prompt, at least'),
        customToolPromptMaxLength: count.describe('Characters of a custom tool’s prompt, at most'),
        customToolSources: count.describe('Sources of a custom tool’s prompt'),
        ruleMinLength: count.describe('Characters of a retrieval rule, at least'),
        ruleMaxLength: count.describe('Characters of a retrieval rule, at most'),
        rulePriorityMin: z.number().int().describe('Lowest priority of a rule'),
        rulePriorityMax: z.number().int().describe('Highest priority of a rule'),
        credentialSecretMaxLength: count.describe('Characters of a credential'),
      })
      .describe('Limits of the plan'),
    rateLimits: z
      .array(
        z.object({
          of: z.string().describe('What is counted'),
          limit: count.describe('How many are allowed'),
          windowSeconds: count.describe('In any span of so many seconds'),
        }),
      )
      .nullable()
      .describe('Limits of the rate of requests, the same on every plan; null if this instance has none'),
    features: z
      .object({
        requestLog: feature('The request log can be read'),
        analytics: feature('Analytics go beyond the summary'),
        customTools: feature('This instance can build custom tools'),
        retrievalRules: feature('This instance can write retrieval rules'),
        llm: feature('A language model writes answers'),
        embeddings: feature('An embedding model takes part in searches'),
        javascriptRendering: feature('A browser renders pages that need JavaScript'),
      })
      .describe('What works for this account on this instance'),
  }),
  errors: ['unauthorized'],
})

export const changePassword = defineOperation({
  method: 'PUT',
  path: '/api/account/password',
  auth: 'person',
  needs: ['viewer', 'publish'],
  summary: 'Change the password of the account',
  description:
    'Ends all other sessions of the account. API keys stay valid, unless `revokeKeys` is true. Wrong passwords count as failed sign-ins. Without the current password, the operator sets a new one with `docent admin password`.',
  input: z.object({
    current: z.string().min(1).max(PASSWORD.max).describe('Current password'),
    password: NewPasswordSchema.describe(`New password, with at least ${PASSWORD.min} characters`),
    revokeKeys: z.boolean().optional().describe('Also revokes the keys that you made in this account'),
  }),
  output: z.object({
    ok,
    endedSessions: count.describe('Number of other sessions that ended'),
    revokedKeys: count.describe('Number of keys that were revoked'),
  }),
  errors: [
    'unauthorized',
    'key_scoped',
    'invalid_input',
    'password_too_short',
    'password_common',
    'password_wrong',
    'password_sign_in_off',
    'too_many_requests',
  ],
})

const CallerLimitsOfAccountSchema = CallerLimitsSchema.extend({
  anonymousThisMonth: z
    .object({ used, limit: count.describe('Part of the allowance that is not reserved') })
    .nullable()
    .describe('Calls without a credential in this month; null: the plan has no limit'),
  anonymousToday: z
    .object({ used, limit: count.describe('As `anonymousPerDay`') })
    .nullable()
    .describe('The same on this day; null: `anonymousPerDay` is 0'),
})

const CALLER_LIMITS = {
  reservedPercent: 60,
  anonymousPerDay: 10,
  anonymousPerNetworkPerDay: 4,
  anonymousThisMonth: { used: 7, limit: 20 },
  anonymousToday: { used: 2, limit: 10 },
}

export const getCallerLimits = defineOperation({
  method: 'GET',
  path: '/api/account/caller-limits',
  auth: 'account',
  needs: ['viewer', 'read'],
  summary: 'Read the limits of callers without a credential',
  description:
    'For public servers and widgets. Callers with an access token of the server, an API key of the account or an attribution token are not limited.',
  input: z.object({}),
  output: CallerLimitsOfAccountSchema,
  errors: ['unauthorized', 'key_scoped'],
  example: { input: {}, output: CALLER_LIMITS },
})

export const changeCallerLimits = defineOperation({
  method: 'PATCH',
  path: '/api/account/caller-limits',
  auth: 'account',
  needs: ['owner', 'publish'],
  summary: 'Change the limits of callers without a credential, with effect on the next call',
  description:
    'Absent fields stay as they are. A call beyond a limit gets the error -32003 with `data.reason` `anonymous_limit_reached`, the limit and `resetsAt`.',
  input: CallerLimitsSchema.partial(),
  output: CallerLimitsOfAccountSchema,
  errors: ['unauthorized', 'key_scoped', 'invalid_input'],
  example: {
    input: { reservedPercent: 60, anonymousPerDay: 10, anonymousPerNetworkPerDay: 4 },
    output: CALLER_LIMITS,
  },
})

export const accountOperations = {
  'account.usage': getUsage,
  'account.entitlements': getEntitlements,
  'account.changePassword': changePassword,
  'account.callerLimits': getCallerLimits,
  'account.changeCallerLimits': changeCallerLimits,
} as const
