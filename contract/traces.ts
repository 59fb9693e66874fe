import { z } from 'zod'
import { defineOperation } from './operation.ts'
import { SourceTypeSchema } from './sources.ts'

const count = z.number().int().min(0)

const CandidateSchema = z.object({
  place: count.describe('In the ranking, from 1'),
  title: z.string(),
  heading: z.string(),
  url: z.string(),
  sourceId: z.string(),
  score: z.number(),
  features: z.record(z.string(), z.number()).describe('What the score is the weighted sum of, each 0 to 1'),
  outcome: z
    .enum([
      'shown',
      'passed_over',
      'over_limit',
      'over_budget',
      'near_duplicate',
      'superseded',
      'not_chosen',
      'text_gone',
    ])
    .describe(
      '`passed_over`: on an earlier page of results; `superseded`: an older copy of a page; `not_chosen`: others, or passages of other pages, came first',
    ),
})

const SearchSchema = z.object({
  query: z.string(),
  filters: z.record(z.string(), z.unknown()).describe('What the search was held to, and how much it was to find'),
  words: z
    .array(
      z.object({ word: z.string(), share: z.number().describe('Of the pages that were searched, 0 to 1, smoothed') }),
    )
    .describe('The query as it was analysed'),
  repaired: z.array(z.object({ given: z.string(), used: z.string() })).describe('Words that no page has'),
  agreement: z.number().describe('How far the signals agree on the best passage, 0 to 1'),
  embeddings: z
    .enum(['off', 'used', 'failed'])
    .describe('`failed`: the model could not be had, and the search went by words alone'),
  sources: z.array(z.object({ sourceId: z.string(), type: SourceTypeSchema, passages: count })),
  candidates: z.array(CandidateSchema).describe('Best first'),
})

export const getTrace = defineOperation({
  method: 'GET',
  path: '/api/mcp/{id}/calls/{callId}/trace',
  auth: 'key',
  resource: 'call',
  feature: 'requestLog',
  summary: 'Explain a call of the request log: what was searched for, what was found, and what became of it',
  description: `The trace is made when it is asked for, by doing again what the tool did with the recorded arguments; nothing is kept
for it beside the call. Where the sources were indexed again since, it shows what the call would find now, and \`version\`
says so. Remote servers and language models are not asked again.`,
  input: z.object({ id: z.string().describe('Id or slug of the server'), callId: z.string() }),
  output: z.object({
    callId: z.string(),
    at: z.iso.datetime(),
    tool: z.string(),
    arguments: z.unknown().describe('As they were recorded, long texts cut'),
    confidence: z.string().nullable().describe('Of the answer, where the tool can tell'),
    version: z
      .enum(['same', 'changed', 'unknown'])
      .describe(
        'Whether the sources are indexed as they were at the time of the call; `unknown` for calls recorded before this was kept',
      ),
    complete: z.boolean().describe('False where the call cannot be done again as it was; `remark` says why'),
    remark: z.string().nullable(),
    rules: z
      .array(z.object({ ruleId: z.string(), naturalLanguage: z.string(), enabled: z.boolean(), effect: z.string() }))
      .describe('The retrieval rules of the server and what each did'),
    searches: z.array(SearchSchema).describe('In the order in which the tool made them'),
    recorded: z
      .array(z.object({ sourceId: z.string(), url: z.string(), title: z.string(), rank: count, score: z.number() }))
      .describe('What the answer cited at the time'),
  }),
  errors: ['unauthorized', 'server_not_found', 'call_not_found', 'request_log_locked'],
})
