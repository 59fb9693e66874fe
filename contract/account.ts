import { z } from 'zod'
import { defineOperation } from './operation.ts'

const count = z.number().int().min(0)
const limit = count.nullable().describe('null: without limit')

export const getUsage = defineOperation({
  method: 'GET',
  path: '/api/billing/usage',
  auth: 'key',
  summary: 'Read what the account has used of its plan in this calendar month',
  description: 'A key that is scoped to servers sees those servers only. The MCP requests are the whole account’s.',
  input: z.object({}),
  output: z.object({
    plan: z.string(),
    period: z.object({ start: z.iso.datetime(), end: z.iso.datetime() }),
    servers: z.object({ used: count, limit }),
    sources: z.array(
      z.object({
        serverId: z.string(),
        used: count,
        limit,
        paidCredits: count.describe('Sources bought beyond the plan'),
      }),
    ),
    customTools: z.object({ used: count, limit }),
    mcpRequests: z.object({ used: count, limit, remaining: limit, resetsAt: z.iso.datetime() }),
  }),
  errors: ['unauthorized'],
})

export const getEntitlements = defineOperation({
  method: 'GET',
  path: '/api/account/entitlements',
  auth: 'key',
  summary: 'Read what the plan and the key allow',
  input: z.object({}),
  output: z.object({
    plan: z.string(),
    trial: z.object({ active: z.boolean(), endsAt: z.iso.datetime().nullable() }),
    key: z.object({ scope: z.enum(['account', 'servers']), serverIds: z.array(z.string()).nullable() }),
    limits: z.object({
      servers: limit,
      sourcesPerServer: limit,
      trialSourcesOnFirstServer: count.nullable().describe('Sources on the first server while the trial is active'),
      sourceBytesPerServer: limit,
      minToolsPerServer: count,
      maxToolsPerServer: count,
      customTools: limit,
      rulesPerServer: limit,
      mcpRequestsPerMonth: limit,
      retentionDays: count,
      customToolPromptMinLength: count,
      customToolPromptMaxLength: count,
      customToolSources: count,
      ruleMinLength: count,
      ruleMaxLength: count,
      rulePriorityMin: z.number().int(),
      rulePriorityMax: z.number().int(),
      credentialSecretMaxLength: count,
    }),
    features: z.object({
      requestLog: z.boolean(),
      analytics: z.boolean(),
      customTools: z.boolean(),
      retrievalRules: z.boolean(),
      llm: z.boolean(),
      embeddings: z.boolean(),
      javascriptRendering: z.boolean(),
    }),
  }),
  errors: ['unauthorized'],
})
