import { z } from 'zod'
import { sourceId } from '#fields.ts'
import { ABOUT_OUTCOMES, OUTCOMES } from './outcomes.ts'

/** Fields of several operations about calls, with their descriptions. */

export const RangeSchema = z
  .enum(['7d', '30d', '90d', '1y', 'all'])
  .describe('Period up to now. Counts have whole days (UTC)')
export type Range = z.infer<typeof RangeSchema>

export const count = z.number().int().min(0)
export const milliseconds = z.number().min(0)
export const calls = count.describe('Calls of tools')
export const failed = count.describe('Calls that ended with an error')
export const citations = count.describe('Citations in answers')
export const lastCitedAt = z.iso.datetime().describe('Time of the last citation')
export const lastAskedAt = z.iso.datetime().describe('Time of the last call with it')
export const CallStatusSchema = z.enum(['ok', 'error'])
const OutcomeSchema = z.enum(OUTCOMES)
export const outcome = OutcomeSchema.describe(`How the call ended. ${ABOUT_OUTCOMES}`)

/** Calls by outcome. */
export const outcomeCounts = z
  .object({
    answered: count.describe('The sources answered'),
    related: count.describe('They did not, but had something about it'),
    none: count.describe('They had nothing'),
    refused: count.describe('The arguments or the name of the tool were refused'),
    failed: count.describe('The service or an upstream could not answer'),
  })
  .describe('Calls by outcome')

export const percentile = (rank: number) =>
  milliseconds.nullable().describe(`Duration that ${rank}% of calls did not exceed, in milliseconds; null without data`)

export const client = {
  name: z
    .string()
    .nullable()
    .describe('Name that the client sends; null if it sends none. Beyond a limit, clients are counted as `(other)`'),
  version: z.string().nullable().describe('Version that the client sends; null if it sends none'),
}

/** A page that an answer cites. */
export const CitationSchema = z.object({
  sourceId,
  url: z.string().describe('Address of the page'),
  title: z.string().describe('Title of the page'),
  rank: count.describe('Position in the answer, from 1'),
  score: z.number().describe('Score in the ranking'),
})

const filterText = z.string().min(1).max(200)

/** Which calls are counted. */
export const callFilter = {
  tool: filterText.optional().describe('Only calls of this tool'),
  client: filterText.optional().describe('Only calls by the client with this name'),
  status: CallStatusSchema.optional().describe('Only calls that succeeded, or only calls that failed'),
  outcome: OutcomeSchema.optional().describe('Only calls that ended so'),
  configuration: filterText.optional().describe('Only calls of the widget with this configuration id'),
}

/** What a visitor of a widget can say about an answer. */
export const FEEDBACK = ['helpful', 'not_helpful'] as const

/** Which calls of the log are listed or exported. */
export const logFilter = {
  ...callFilter,
  endUser: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('Only questions of this user, by the id that your attribution tokens give'),
  search: z
    .string()
    .max(200)
    .optional()
    .describe('Only calls with each of these words, in any case, in their question or search'),
  feedback: z.enum(FEEDBACK).optional().describe('Only questions about whose answer the visitor of a widget said this'),
}

/** A page with its citations. */
export const citedPage = {
  url: z.string().describe('Address of the page'),
  title: z.string().describe('Title of the page'),
  sourceId,
  citations,
  lastCitedAt,
}
