import { z } from 'zod'
import { RETRIEVAL_RULE } from './limits.ts'
import { defineOperation } from './operation.ts'

const HOUR_MS = 60 * 60 * 1000
const { minSentence, maxSentence, minPriority, maxPriority } = RETRIEVAL_RULE

/** Length in code points: a letter outside the basic plane counts once. */
const lengthOf = (text: string): number => [...text].length

const RuleSchema = z.object({
  id: z.string(),
  enabled: z.boolean(),
  priority: z.number().int().min(minPriority).max(maxPriority).describe('Higher runs first'),
  effects: z.array(z.record(z.string(), z.unknown())).describe('What the sentence was compiled to'),
  serverId: z.string(),
  sourceId: z.string().nullable().describe('The one source that the rule is about'),
  naturalLanguage: z.string(),
  createdAt: z.iso.datetime(),
})

const RuleParameterSchema = z.object({ ruleId: z.string() })
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
    rules: z.array(RuleSchema),
    limit: z.number().int().describe('How many the server can have'),
    available: z.boolean().describe('Whether rules can be written here'),
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
  description: `A rule says which sources to prefer and how to use them. It cannot change how answers are grounded or cited,
or how uncertainty is reported; parts of the sentence that ask for such things come back in \`removed\`.`,
  input: z.object({
    serverId: ServerIdSchema,
    sourceId: z.string().nullish().describe('Only for this source of the server'),
    naturalLanguage: z
      .string('rule_too_short')
      .trim()
      .refine((text) => lengthOf(text) >= minSentence, 'rule_too_short')
      .refine((text) => lengthOf(text) <= maxSentence, 'rule_too_long')
      .describe(`The rule, in ${minSentence} to ${maxSentence} characters`),
  }),
  output: z.object({ rule: RuleSchema, removed: z.array(z.string()) }),
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
  summary: 'Switch a rule on or off, or change its priority',
  input: z
    .object({
      ...RuleParameterSchema.shape,
      enabled: z.boolean().optional(),
      // Clamped before validation, because numbers beyond the safe integers are out of range too.
      priority: z
        .preprocess(
          (given: number) => (typeof given === 'number' ? Math.min(maxPriority, Math.max(minPriority, given)) : given),
          z.number().int(),
        )
        .optional()
        .describe(`${minPriority} to ${maxPriority}; what lies outside is clamped`),
    })
    .refine(({ enabled, priority }) => enabled !== undefined || priority !== undefined, 'nothing_to_update'),
  output: z.object({ rule: RuleSchema.pick({ id: true, enabled: true, priority: true }) }),
  errors: ['unauthorized', 'rule_not_found', 'nothing_to_update', 'invalid_input'],
})

export const deleteRule = defineOperation({
  method: 'DELETE',
  path: '/api/retrieval-rules/{ruleId}',
  auth: 'key',
  resource: 'rule',
  summary: 'Delete a retrieval rule',
  input: RuleParameterSchema,
  output: z.object({ ok: z.literal(true) }),
  errors: ['unauthorized', 'rule_not_found'],
})
