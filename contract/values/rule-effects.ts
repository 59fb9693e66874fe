import { z } from 'zod'
import { SOURCE_TYPES } from './source-kinds.ts'
import { BUILT_IN_TOOLS } from './tools.ts'

/** Strengths of a preference: a factor of a passage's score. Below 1 a passage moves down, and 0 removes it. */
export const RULE_WEIGHTS = {
  never: 0,
  last: 0.3,
  lower: 0.6,
  slightlyLower: 0.85,
  slightly: 1.2,
  more: 1.5,
  first: 2.5,
}

const MOST_WEIGHT = 10
/** Bounds of one rule. A sentence has at most 600 characters. */
export const MOST_TERMS = 20
export const MOST_EFFECTS = 24

const text = z.string().min(1).max(200)
const glob = text.describe('Path of pages; `*` stands for any characters, and `#` begins the anchor of a section')
const weight = z.number().min(0).max(MOST_WEIGHT).describe('Factor of the score: above 1 ranks higher, below 1 lower')
const sourceId = z.string().min(1).max(60).describe('Id of the source')
const scope = z.string().min(1).max(60).optional().describe('Id of the only source whose pages it affects')

const when = z
  .object({
    terms: z.array(text).min(1).max(MOST_TERMS).optional().describe('Words, any of which the question has'),
    exceptTerms: z.array(text).min(1).max(MOST_TERMS).optional().describe('Words, none of which the question has'),
    tool: z
      .array(z.enum(BUILT_IN_TOOLS.map(({ name }) => name)))
      .min(1)
      .optional()
      .describe('Tools, any of which is called'),
    language: z
      .string()
      .regex(/^[a-z]{2}$/)
      .optional()
      .describe('Language of the question'),
  })
  .strict()
  .refine((condition) => Object.keys(condition).length > 0)
  .optional()
  .describe('Condition on the call; absent: every call')

const effect = <const K extends string, S extends z.ZodRawShape>(kind: K, shape: S) =>
  z.object({ kind: z.literal(kind).describe('Kind of the effect'), ...shape, when }).strict()

/** An effect of a retrieval rule. The set is closed: none of them reaches answers, citations or confidence. */
export const RuleEffectSchema = z.discriminatedUnion('kind', [
  effect('prefer_source', { sourceId, weight }),
  effect('avoid_source', { sourceId, weight }),
  effect('only_source', { sourceId }),
  effect('prefer_path', { glob, weight, sourceId: scope }),
  effect('exclude_path', { glob, sourceId: scope }),
  effect('only_path', { glob, sourceId: scope }),
  effect('prefer_type', { type: z.enum(SOURCE_TYPES).describe('Type of sources'), weight }),
  effect('prefer_version', {
    version: text.describe('A version in the address of a page, or `latest`'),
    weight,
    sourceId: scope,
  }),
  effect('prefer_recent', {
    halfLifeDays: z.number().int().min(1).max(36_500).describe('Age at which half of the preference is left'),
    sourceId: scope,
  }),
  effect('prefer_code', {
    language: text.optional().describe('Language of code blocks; absent: any'),
    weight,
    sourceId: scope,
  }),
  effect('expand_terms', {
    from: text.describe('Word or phrase of a question'),
    to: z.array(text).min(1).max(MOST_TERMS).describe('Words that are searched too'),
  }),
  effect('max_per_source', {
    n: z.number().int().min(1).max(50).describe('Maximum passages of a source'),
    sourceId: scope,
  }),
])

export const RuleEffectsSchema = z.array(RuleEffectSchema).min(1).max(MOST_EFFECTS)

export type RuleEffect = z.output<typeof RuleEffectSchema>
export type RuleCondition = NonNullable<RuleEffect['when']>
