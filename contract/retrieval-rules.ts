import { z } from 'zod'
import { createdAt, ok, serverId } from './fields.ts'
import { RETRIEVAL_RULE } from './limits.ts'
import { defineOperation } from './operation.ts'

const HOUR_MS = 60 * 60 * 1000
const { minSentence, maxSentence, minPriority, maxPriority } = RETRIEVAL_RULE

/** Length in code points: a letter outside the basic plane counts once. */
const lengthOf = (text: string): number => [...text].length

const RuleSchema = z.object({
  id: z.string().describe('Id of the rule'),
  enabled: z.boolean().describe('Whether searches apply the rule'),
  priority: z.number().int().min(minPriority).max(maxPriority).describe('Rules with a higher priority run first'),
  effects: z.array(z.record(z.string(), z.unknown())).describe('What the sentence was compiled to'),
  serverId,
  sourceId: z.string().nullable().describe('Id of the only source that the rule is about; null: all'),
  naturalLanguage: z.string().describe('The rule as written'),
  createdAt,
})

const RuleParameterSchema = z.object({ ruleId: z.string().describe('Id of the rule') })
const ServerIdSchema = z
  .string('rule_server_required')
  .min(1, 'rule_server_required')
  .describe('Id of the server; its slug is not accepted')

export const listRules = defineOperation({
  method: 'GET',
  path: '/api/retrieval-rules',
  auth: 'key',
  resource: 'serverOfRules',
  summary: 'List the retrieval rules of a server, in the order in which they run',
  input: z.object({ serverId: ServerIdSchema }),
  output: z.object({
    rules: z.array(RuleSchema).describe('Rules of the server'),
    limit: z.number().int().describe('Rules that the server can have'),
    available: z.boolean().describe('Whether this instance can write rules'),
    example: z.string().describe('A sentence that makes a rule'),
  }),
  errors: ['unauthorized', 'rule_server_required', 'rule_server_not_found'],
})

export const createRule = defineOperation({
  method: 'POST',
  path: '/api/retrieval-rules',
  auth: 'key',
  resource: 'serverOfRules',
  rateLimit: { limit: 25, windowMs: HOUR_MS },
  onceByKey: true,
  summary: 'Write a retrieval rule in plain words',
  description: `A rule says which sources to prefer and how to use them. It cannot change how answers are grounded and cited,
or how they report uncertainty. Parts of the sentence that ask for this are returned in \`removed\`. This version does not
write rules: every valid request gets 503 \`rules_unavailable\`.`,
  input: z.object({
    serverId: ServerIdSchema,
    sourceId: z.string().nullish().describe('Id of the only source that the rule is about'),
    naturalLanguage: z
      .string('rule_too_short')
      .trim()
      .refine((text) => lengthOf(text) >= minSentence, 'rule_too_short')
      .refine((text) => lengthOf(text) <= maxSentence, 'rule_too_long')
      .describe(`The rule, in ${minSentence} to ${maxSentence} characters`),
  }),
  output: z.object({
    rule: RuleSchema.describe('The new rule'),
    removed: z.array(z.string()).describe('Parts of the sentence that a rule cannot do'),
  }),
  errors: [
    'unauthorized',
    'too_many_requests',
    'rule_server_required',
    'rule_too_short',
    'rule_too_long',
    'invalid_input',
    'rule_server_not_found',
    'rule_source_not_found',
    'rule_needs_source',
    'rule_limit',
    'rules_unavailable',
    'idempotency_key_malformed',
    'idempotency_key_reused',
  ],
})

export const updateRule = defineOperation({
  method: 'PATCH',
  path: '/api/retrieval-rules/{ruleId}',
  auth: 'key',
  resource: 'rule',
  summary: 'Enable or disable a rule, or change its priority',
  input: z
    .object({
      ...RuleParameterSchema.shape,
      enabled: z.boolean().optional().describe('Whether searches apply the rule'),
      // Clamped before validation, because numbers beyond the safe integers are out of range too.
      priority: z
        .preprocess(
          (given: number) => (typeof given === 'number' ? Math.min(maxPriority, Math.max(minPriority, given)) : given),
          z.number().int(),
        )
        .optional()
        .describe(`${minPriority} to ${maxPriority}; other numbers are set to the nearest of these`),
    })
    .refine(({ enabled, priority }) => enabled !== undefined || priority !== undefined, 'nothing_to_update'),
  output: z.object({
    rule: RuleSchema.pick({ id: true, enabled: true, priority: true }).describe('The rule after the change'),
  }),
  errors: ['unauthorized', 'rule_not_found', 'nothing_to_update', 'invalid_input'],
})

export const deleteRule = defineOperation({
  method: 'DELETE',
  path: '/api/retrieval-rules/{ruleId}',
  auth: 'key',
  resource: 'rule',
  summary: 'Delete a retrieval rule',
  input: RuleParameterSchema,
  output: z.object({ ok }),
  errors: ['unauthorized', 'rule_not_found'],
})

export const retrievalRuleOperations = {
  'retrievalRules.list': listRules,
  'retrievalRules.create': createRule,
  'retrievalRules.update': updateRule,
  'retrievalRules.delete': deleteRule,
} as const
