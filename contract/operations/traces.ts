import { z } from 'zod'
import { CitationSchema, outcome } from '#values/analytics-fields.ts'
import { ServerParameterSchema, sourceId } from '#fields.ts'
import { defineOperation } from '#operation.ts'
import { SourceTypeSchema } from '#values/sources.ts'

const count = z.number().int().min(0)

const CandidateSchema = z.object({
  place: count.describe('Position in the ranking, from 1'),
  title: z.string().describe('Title of the page'),
  heading: z.string().describe('Heading of the passage; empty at the start of a page'),
  url: z.string().describe('Address of the passage'),
  sourceId,
  score: z.number().describe('Weighted sum of the features, times `ruleFactor`'),
  ruleFactor: z.number().describe('Product of the weights of retrieval rules; 1 without any'),
  features: z.record(z.string(), z.number()).describe('Features of the ranking, each from 0 to 1'),
  outcome: z
    .enum([
      'shown',
      'passed_over',
      'over_limit',
      'over_budget',
      'same_section',
      'near_duplicate',
      'superseded',
      'not_chosen',
      'text_gone',
    ])
    .describe(
      '`shown`: in the answer; `passed_over`: on an earlier page of results; `over_limit`, `over_budget`: beyond the number of results or the size of an answer; `same_section`: part of a section with a better passage; `near_duplicate`: like a better passage; `superseded`: an older copy of a page; `not_chosen`: other passages came first; `text_gone`: its text is not stored any more',
    ),
})

const SearchSchema = z.object({
  query: z.string().describe('Text of the search'),
  filters: z.record(z.string(), z.unknown()).describe('Filters and limits of the search'),
  words: z
    .array(
      z.object({
        word: z.string().describe('A word as analysed'),
        share: z.number().describe('Share of the searched pages that have it, from 0 to 1, smoothed'),
      }),
    )
    .describe('Words of the query, after analysis'),
  repaired: z
    .array(
      z.object({
        given: z.string().describe('The word in the query'),
        used: z.string().describe('The word used in its place'),
      }),
    )
    .describe('Spelling corrections of words that no page has'),
  agreement: z.number().describe('How far the features agree on the best passage, from 0 to 1'),
  embeddings: z
    .enum(['off', 'used', 'failed'])
    .describe('`failed`: the embedding model did not answer, so the search used words only'),
  sources: z
    .array(
      z.object({ sourceId, type: SourceTypeSchema, passages: count.describe('Number of its passages in the index') }),
    )
    .describe('Sources that were searched'),
  rules: z
    .array(
      z.object({
        ruleId: z.string().describe('Id of the rule'),
        applies: z.boolean().describe('Whether this search meets the condition of the rule'),
        raised: count.describe('Ranked passages that it moved up'),
        lowered: count.describe('Ranked passages that it moved down'),
        pagesLeftOut: count.describe('Pages that it left out of the search'),
        sourcesLeftOut: count.describe('Sources that it left out of the search'),
        added: z.array(z.string()).describe('Words that it added to the question'),
        perSource: z.number().int().nullable().describe('Maximum passages of a source; null: no limit'),
      }),
    )
    .describe('Effects of the enabled retrieval rules on this search'),
  pins: z
    .array(
      z.object({
        pinId: z.string().describe('Id of the pin'),
        effect: z.enum(['first', 'never']).describe('`first`: shows its section first; `never`: leaves it out'),
        url: z.string().describe('Address of its section'),
        heading: z.string().describe('Headings of its section'),
        outcome: z
          .enum(['applied', 'stale', 'filtered'])
          .describe('`stale`: its section is gone; `filtered`: the search asked for other pages'),
      }),
    )
    .describe('Pins of this question'),
  candidates: z.array(CandidateSchema).describe('Best first'),
})

export const getTrace = defineOperation({
  method: 'GET',
  path: '/api/mcp/{id}/calls/{callId}/trace',
  auth: 'key',
  needs: ['viewer', 'read'],
  resource: 'call',
  feature: 'requestLog',
  summary: 'Explain a call of the request log: its searches, their candidates and what was shown',
  description: `The trace is computed on request: the tool runs again with the recorded arguments. If the sources have been
indexed again since the call, the trace shows the result of today, and \`version\` is \`changed\`. Remote servers and
language models are not called again.`,
  input: ServerParameterSchema.extend({ callId: z.string().describe('Id of the call, from the request log') }),
  output: z.object({
    callId: z.string().describe('Id of the call'),
    at: z.iso.datetime().describe('Time of the call'),
    tool: z.string().describe('Name of the tool'),
    arguments: z.unknown().describe('Arguments as recorded; long texts are cut'),
    outcome,
    confidence: z.string().nullable().describe('Confidence of the answer; null for tools without one'),
    version: z
      .enum(['same', 'changed', 'unknown'])
      .describe('Whether the index is the same as at the time of the call; `unknown` for old records'),
    complete: z.boolean().describe('False if the call cannot be repeated exactly; `remark` says why'),
    remark: z
      .string()
      .nullable()
      .describe('Why the trace is incomplete, or why the answer of the language model was not used; else null'),
    rules: z
      .array(
        z.object({
          ruleId: z.string().describe('Id of the rule'),
          naturalLanguage: z.string().describe('The rule as written'),
          enabled: z.boolean().describe('Whether searches apply the rule'),
          effect: z.string().describe('Effect on this call, in a sentence'),
        }),
      )
      .describe('Retrieval rules of the server'),
    searches: z.array(SearchSchema).describe('Searches of the tool, in order'),
    recorded: z.array(CitationSchema).describe('Citations of the answer at the time of the call'),
  }),
  errors: ['unauthorized', 'server_not_found', 'call_not_found', 'request_log_locked'],
})

export const traceOperations = {
  'calls.trace': getTrace,
} as const
