import { z } from 'zod'
import { defineOperation } from './operation.ts'
import { SourceTypeSchema } from './sources.ts'

export const PAGE_SIZE = 20

const RangeSchema = z.enum(['7d', '30d', '90d', '1y', 'all']).describe('How far back to look, from now')
export type Range = z.infer<typeof RangeSchema>

const ServerParameterSchema = z.object({ id: z.string().describe('Id or slug of the server') })

const count = z.number().int().min(0)
const percent = z.number().min(0).max(100)
const milliseconds = z.number().min(0)

const summaryFields = {
  serverId: z.string(),
  slug: z.string(),
  name: z.string(),
  status: z.enum(['crawling', 'active', 'error']),
  generatedAt: z.iso.datetime(),
  totalCalls: count.describe('Calls of tools since the server was created'),
  failedCalls: count,
  successRate: percent.describe('100 when there were no calls'),
  avgDurationMs: milliseconds,
  activeSources: count.describe('Sources that can be searched now'),
  citedSources: count.describe('Sources that appeared in at least one answer'),
  toolUsage: z
    .array(z.object({ name: z.string(), calls: count, successRate: percent }))
    .describe('Calls of tools that the server does not have included; where those have many names, under `(other)`'),
  sourceUsage: z.array(
    z.object({
      sourceId: z.string(),
      url: z.string(),
      label: z.string().nullable(),
      type: SourceTypeSchema,
      calls: count.describe('Calls whose answer cited the source'),
      citations: count,
      lastCitedAt: z.iso.datetime().nullable(),
    }),
  ),
  upgradeUrl: z.url().describe('Where deeper analytics can be had'),
}

const QueriesSchema = z.array(z.object({ query: z.string(), calls: count, lastAskedAt: z.iso.datetime() }))

const reportFields = {
  series: z
    .array(
      z.object({
        date: z.iso.date(),
        calls: count,
        failed: count,
        p50Ms: milliseconds.nullable().describe('null where the request log does not go back so far'),
        p95Ms: milliseconds.nullable(),
      }),
    )
    .nullable()
    .describe('One entry for each day with calls, oldest first; days are UTC'),
  clients: z
    .array(
      z.object({
        name: z.string().nullable().describe('null for clients that do not say who they are'),
        version: z.string().nullable(),
        calls: count,
        lastCallAt: z.iso.datetime(),
      }),
    )
    .nullable(),
  topQueries: QueriesSchema.nullable(),
  unanswered: QueriesSchema.nullable().describe('Questions that were answered with low confidence or not at all'),
  topPages: z
    .array(
      z.object({
        url: z.string(),
        title: z.string(),
        sourceId: z.string(),
        citations: count,
        lastCitedAt: z.iso.datetime(),
      }),
    )
    .nullable(),
  latency: z
    .object({ p50Ms: milliseconds.nullable(), p95Ms: milliseconds.nullable(), p99Ms: milliseconds.nullable() })
    .nullable(),
}

export const getAnalyticsSummary = defineOperation({
  method: 'GET',
  path: '/api/analytics/{id}/summary',
  auth: 'key',
  resource: 'server',
  summary: 'Read how much a server is used; on every plan',
  input: ServerParameterSchema,
  output: z.object(summaryFields),
  errors: ['unauthorized', 'server_not_found'],
})

export const getAnalytics = defineOperation({
  method: 'GET',
  path: '/api/analytics/{id}',
  auth: 'key',
  resource: 'server',
  summary: 'Read the summary and what the request log shows over a span of time',
  description: `Without the core analytics tier or the trial \`locked\` is true, and what goes beyond the summary is null.`,
  input: z.object({ ...ServerParameterSchema.shape, range: RangeSchema.default('30d') }),
  output: z.object({
    ...summaryFields,
    range: RangeSchema,
    locked: z.literal(true).optional(),
    ...reportFields,
  }),
  errors: ['unauthorized', 'server_not_found', 'invalid_input'],
})

export const listCalls = defineOperation({
  method: 'GET',
  path: '/api/analytics/{id}/calls',
  auth: 'key',
  resource: 'server',
  feature: 'requestLog',
  summary: 'Read the request log, newest first',
  input: z.object({
    ...ServerParameterSchema.shape,
    range: RangeSchema.default('all'),
    tool: z.string().min(1).max(200).optional().describe('Only calls of this tool'),
    client: z.string().min(1).max(200).optional().describe('Only calls by the client of this name'),
    status: z.enum(['ok', 'error']).optional(),
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  }),
  output: z.object({
    calls: z.array(
      z.object({
        id: z.string(),
        at: z.iso.datetime(),
        tool: z.string(),
        arguments: z.unknown().describe('As they were sent, long texts cut'),
        client: z.object({ name: z.string().nullable(), version: z.string().nullable() }),
        status: z.enum(['ok', 'error']),
        durationMs: milliseconds,
        error: z.string().optional(),
        citations: z.array(
          z.object({
            sourceId: z.string(),
            url: z.string(),
            title: z.string(),
            rank: count,
            score: z.number(),
          }),
        ),
      }),
    ),
    page: count,
    pageSize: z.literal(PAGE_SIZE),
    total: count,
    totalPages: count,
  }),
  errors: ['unauthorized', 'server_not_found', 'request_log_locked', 'invalid_input'],
})
