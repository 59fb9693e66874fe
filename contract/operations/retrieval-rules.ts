import { z } from 'zod'
import { ServerParameterSchema, createdAt, ok, serverId } from '#fields.ts'
import { PINS, RETRIEVAL_RULE } from '#limits.ts'
import { defineOperation } from '#operation.ts'
import { ComparedSchema } from '#values/compared-answers.ts'
import { RuleEffectSchema } from '#values/rule-effects.ts'

const HOUR_MS = 60 * 60 * 1000
/** Calls that a preview runs again. */
export const PREVIEWED_CALLS = 200
const { minSentence, maxSentence, minPriority, maxPriority } = RETRIEVAL_RULE

/** Length in code points: a letter outside the basic plane counts once. */
const lengthOf = (text: string): number => [...text].length

const RuleSchema = z.object({
  id: z.string().describe('Id of the rule'),
  enabled: z.boolean().describe('Whether searches apply the rule'),
  priority: z.number().int().min(minPriority).max(maxPriority).describe('Rules with a higher priority run first'),
  effects: z.array(RuleEffectSchema).describe('What the sentence was compiled to'),
  understood: z.array(z.string()).describe('The effects in words. Nothing else is applied'),
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

const SentenceSchema = z.object({
  serverId: ServerIdSchema,
  sourceId: z.string().nullish().describe('Id of the only source that the rule is about'),
  naturalLanguage: z
    .string('rule_too_short')
    .trim()
    .refine((text) => lengthOf(text) >= minSentence, 'rule_too_short')
    .refine((text) => lengthOf(text) <= maxSentence, 'rule_too_long')
    .describe(`The rule, in ${minSentence} to ${maxSentence} characters`),
})

const UnderstoodSchema = z
  .array(z.string())
  .describe('The effects in words, then remarks: parts without an effect, and parts that contradict each other')

const ListedSchema = z.object({
  rules: z.array(RuleSchema).describe('Rules of the server'),
  limit: z.number().int().describe('Rules that the server can have'),
  available: z.boolean().describe('Whether this instance can write rules'),
  example: z.string().describe('A sentence that makes a rule'),
})

/** Refusals of a sentence. */
const SENTENCE_ERRORS = [
  'rule_server_required',
  'rule_too_short',
  'rule_too_long',
  'invalid_input',
  'rule_server_not_found',
  'rule_source_not_found',
  'rule_needs_source',
  'rule_out_of_scope',
  'rule_not_compiled',
  'rules_unavailable',
] as const

export const listRules = defineOperation({
  method: 'GET',
  path: '/api/retrieval-rules',
  auth: 'key',
  needs: ['viewer', 'read'],
  resource: 'serverOfRules',
  tool: {
    name: 'list_retrieval_rules',
    title: 'List retrieval rules',
    description:
      'List the retrieval rules of a server in the order in which they run, with the ids that the other rule tools need, and an example of a sentence that makes a rule.',
    kind: 'read',
    strangers: 'addresses of pages',
    strangersIn: ['understood'],
    arguments: { server: 'serverId' },
  },
  summary: 'List the retrieval rules of a server, in the order in which they run',
  input: z.object({ serverId: ServerIdSchema }),
  output: ListedSchema,
  errors: ['unauthorized', 'rule_server_required', 'rule_server_not_found'],
})

/** The same list by id or slug, for clients that know only the address of the server. */
export const listRulesOfServer = defineOperation({
  method: 'GET',
  path: '/api/mcp/{id}/retrieval-rules',
  auth: 'key',
  needs: ['viewer', 'read'],
  resource: 'server',
  summary: 'List the retrieval rules of a server by its id or its slug',
  input: ServerParameterSchema,
  output: ListedSchema,
  errors: ['unauthorized', 'server_not_found'],
})

export const createRule = defineOperation({
  method: 'POST',
  path: '/api/retrieval-rules',
  auth: 'key',
  needs: ['editor', 'write'],
  resource: 'serverOfRules',
  rateLimit: { limit: 25, windowMs: HOUR_MS, of: 'requests to write a retrieval rule' },
  onceByKey: true,
  tool: {
    name: 'create_retrieval_rule',
    title: 'Create a retrieval rule',
    description:
      'Write a rule in plain English about which sources a server prefers and how it uses them. Returns what was understood, which is all that the rule does: show it to the user. removed has the parts that a rule cannot do. The wording cannot be changed later: delete the rule and create a new one.',
    kind: 'write',
    strangers: 'addresses of pages',
    strangersIn: ['understood'],
    arguments: { server: 'serverId', rule: 'naturalLanguage', source_id: 'sourceId' },
  },
  summary: 'Write a retrieval rule in plain words',
  description: `A rule says which sources to prefer and how to use them. It cannot change how answers are grounded and cited,
or how they report uncertainty. Parts of the sentence that ask for this are returned in \`removed\`. If nothing else is
left, the request is refused. A name of a source or path that the server does not have is refused with the nearest names.
[Retrieval rules](rules.md) lists what a sentence can say, and the effects.`,
  input: SentenceSchema,
  output: z.object({
    rule: RuleSchema.describe('The new rule'),
    understood: UnderstoodSchema,
    removed: z.array(z.string()).describe('Parts of the sentence that a rule cannot do'),
  }),
  errors: [
    'unauthorized',
    'too_many_requests',
    ...SENTENCE_ERRORS,
    'rule_limit',
    'idempotency_key_malformed',
    'idempotency_key_reused',
  ],
})

const PassageSchema = z.object({
  title: z.string().describe('Title of the page'),
  heading: z.string().describe('Heading of the passage; empty at the start of a page'),
  url: z.string().describe('Address of the passage'),
  sourceId: z.string().describe('Id of the source'),
})

export const previewRule = defineOperation({
  method: 'POST',
  path: '/api/retrieval-rules/preview',
  auth: 'key',
  needs: ['editor', 'write'],
  audited: false,
  resource: 'serverOfRules',
  rateLimit: { limit: 60, windowMs: HOUR_MS, of: 'previews of a retrieval rule' },
  summary: 'Try a retrieval rule on the last calls without saving it',
  description: `The searches of the last ${PREVIEWED_CALLS} successful calls run again, with the rules of the server and
with the new rule after them. Remote servers and language models are not called. Equal calls are tried once. With a
\`question\`, its answers without and with the rule are returned too.`,
  input: SentenceSchema.extend({
    question: z.string().trim().min(1).max(PINS.maxQuestion).optional().describe('A question to answer with the rule'),
  }),
  output: z.object({
    effects: z.array(RuleEffectSchema).describe('What the sentence compiles to'),
    understood: UnderstoodSchema,
    removed: z.array(z.string()).describe('Parts of the sentence that a rule cannot do'),
    checked: z.number().int().min(0).describe('Different calls that ran again'),
    complete: z.boolean().describe('False if there was no time for all calls'),
    answer: ComparedSchema.nullable().describe('The question; null without one, or if it took too long'),
    changed: z
      .array(
        z.object({
          callId: z.string().describe('Id of the last call of this kind'),
          tool: z.string().describe('Name of the tool'),
          arguments: z.unknown().describe('Arguments as recorded'),
          before: z.array(PassageSchema).describe('Passages found without the rule'),
          after: z.array(PassageSchema).describe('Passages found with the rule'),
          changesAnswer: z.boolean().describe('Whether the text of the result changes too'),
        }),
      )
      .describe('Calls that find other passages, or the same in another order; latest first'),
  }),
  errors: ['unauthorized', 'too_many_requests', ...SENTENCE_ERRORS],
})

export const updateRule = defineOperation({
  method: 'PATCH',
  path: '/api/retrieval-rules/{ruleId}',
  auth: 'key',
  needs: ['editor', 'write'],
  resource: 'rule',
  tool: {
    name: 'update_retrieval_rule',
    title: 'Update a retrieval rule',
    description:
      'Enable or disable a retrieval rule, or change its priority. Its wording cannot be changed: delete the rule and create a new one.',
    kind: 'write',
    strangers: 'addresses of pages',
    strangersIn: ['understood'],
    idempotent: true,
    arguments: { rule_id: 'ruleId', enabled: 'enabled', priority: 'priority' },
  },
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
  needs: ['editor', 'publish'],
  resource: 'rule',
  tool: {
    name: 'delete_retrieval_rule',
    title: 'Delete a retrieval rule',
    description:
      'Delete a retrieval rule of a server. update_retrieval_rule can disable it instead. Ask the user first.',
    kind: 'delete',
    arguments: { rule_id: 'ruleId' },
    deletes: 'the retrieval rule {name} ("{rule_id}")',
  },
  summary: 'Delete a retrieval rule',
  input: RuleParameterSchema,
  output: z.object({ ok }),
  errors: ['unauthorized', 'rule_not_found'],
})

export const retrievalRuleOperations = {
  'retrievalRules.list': listRules,
  'retrievalRules.ofServer': listRulesOfServer,
  'retrievalRules.create': createRule,
  'retrievalRules.preview': previewRule,
  'retrievalRules.update': updateRule,
  'retrievalRules.delete': deleteRule,
} as const
